"""Serve a GGUF model on 127.0.0.1 with an OpenAI-compatible API: serve.py MODEL.gguf PORT."""

import sys
import time

import xllamacpp


def main() -> None:
    """Serve until interrupted."""
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.hostnames = ["127.0.0.1"]
    params.port = int(sys.argv[2])
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    print(f"serving on 127.0.0.1:{params.port}", flush=True)
    while server:
        time.sleep(1)


if __name__ == "__main__":
    main()
