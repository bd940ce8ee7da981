#!/bin/bash
# image.sh [NAME]: builds the container image NAME (default: streams-and-graphs) with podman, or else docker. make image calls it.
set -u -o pipefail
name=${1:-streams-and-graphs}
fail() {
    echo "image: $*" >&2
    exit 2
}
for engine in podman docker; do "$engine" info >/dev/null 2>&1 && break || engine=''; done
[ -n "$engine" ] || fail 'neither podman nor docker works here. Next: apt-get install podman'
git rev-parse --verify -q HEAD >/dev/null || fail 'the image is made of a commit, and this folder is not a checkout. Next: git clone the course'
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo 'image: changes that are not committed do not go into the image' >&2
git archive HEAD | "$engine" build --build-arg COMMIT="$(git describe --always)" -t "$name" -f grader/class/platforms/Containerfile - ||
    fail "$engine could not build the image; the reason is above"
echo "$name: grader/class/README.md has the command to run it"
