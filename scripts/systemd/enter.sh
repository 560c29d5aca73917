#!/bin/sh
# Runs a command in a root of its own, which is read-only but for /tmp and the state folder: enter.sh ROOT CHECKOUT NODE STATE
# COMMAND... Expects a mount namespace of its own (unshare --mount), so that no mount is left behind.
set -eu
root=$1 checkout=$2 node=$3 state=$4
shift 4

# Binds $1 of this machine at the same path in the root, read-only.
bind() {
  mount --rbind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1"
}

mount --bind "$root" "$root"
bind /usr
bind /sys
for name in null zero full random urandom; do mount --bind "/dev/$name" "$root/dev/$name"; done
# As ProtectProc=invisible and ProcSubset=pid have it.
mount -t proc -o hidepid=invisible,subset=pid proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
# What is installed in the root is linked to packages of the checkout.
mkdir -p "$root$checkout"
bind "$checkout"
mount --bind "$node" "$root/opt/sineta/node_modules/.bin/node"
mount --bind "$root$state" "$root$state"
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
