#!/bin/bash
# setup.sh: Gradescope runs this once, as root, when it builds the container of the autograder. Choose an image with Ubuntu 24.04.
set -e
cd "${AUTOGRADER:-/autograder}/source/course"
command -v make >/dev/null || { apt-get update && apt-get install -y make; }
make setup DEVICE=sim
make "$(cat ../lab)" SOLUTION=1 DEVICE=sim
