"""What the project costs, as ratios against what users would pick instead. Method: docs/benchmarks.md."""
