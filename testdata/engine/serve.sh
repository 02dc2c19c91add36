#!/bin/sh
# serve.sh DIR PORT SLOTS CONTEXT_PER_SLOT [MODEL]: llama-server out of the
# packages that get.sh unpacked into DIR, with DIR/MODEL (model.gguf), on
# 127.0.0.1, with its metrics page on.
set -e
dir=$(cd "$1" && pwd)
lib=$dir/root/usr/lib/x86_64-linux-gnu
# ggml looks for its CPU backends in the current folder and picks the best.
# One thread: the other core is the client's.
cd "$lib/ggml/backends0"
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib:$lib/llama" \
  "$dir/root/usr/bin/llama-server" -m "$dir/${5:-model.gguf}" --host 127.0.0.1 --port "$2" \
  -np "$3" -c $(($3 * $4)) --metrics --slots --no-ui --offline -t 1
