# shellcheck shell=bash
# What the scripts need of the machine: messages, packages, a JDK. To be sourced; works with bash 3.2 and later.

say() { printf '%s: %s\n' "${0##*/}" "$*"; }

# One clear sentence, and the end.
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

package_manager() {
  local candidate
  for candidate in apt-get dnf brew; do
    if has "$candidate"; then
      echo "$candidate"
      return
    fi
  done
}

# Runs a command as root; sudo asks for a password only where there is a terminal to ask on.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif ! has sudo; then
    echo "this needs root, and there is no sudo"
    return 1
  elif [[ -t 0 ]]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

# Installs a package by apt, with the services of what it installs not started: Debian packages start theirs by
# themselves unless policy-rc.d forbids it. A policy that was there before is put back.
# shellcheck disable=SC2016 # expanded by the inner shell
APT_INSTALL='
policy=/usr/sbin/policy-rc.d
put_back() { rm -f "$policy"; [ ! -e "$policy.before-deferred" ] || mv "$policy.before-deferred" "$policy"; }
trap put_back EXIT
trap "exit 1" HUP INT TERM
[ ! -e "$policy" ] || mv "$policy" "$policy.before-deferred"
printf "#!/bin/sh\nexit 101\n" >"$policy"
chmod 755 "$policy"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
'

# install_first WHAT PACKAGE...: installs the first of the packages that the package manager knows.
install_first() {
  local what=$1 manager package log
  shift
  manager=$(package_manager)
  [[ -n $manager ]] || die "$what is missing and there is no apt, dnf or brew to install it with; install it and try again."
  log=$(mktemp "${TMPDIR:-/tmp}/deferred-install-XXXXXX")
  say "$what is missing: installing it with $manager."
  [[ $manager != apt-get ]] || as_root apt-get -qq update >"$log" 2>&1 || true # the installation tells what is wrong
  for package in "$@"; do
    case $manager in
      apt-get) as_root sh -c "$APT_INSTALL" sh "$package" ;;
      dnf) as_root dnf install -y -q "$package" ;;
      brew) brew install --quiet "$package" ;;
    esac >>"$log" 2>&1 </dev/null && { rm -f "$log"; return; }
  done
  die "$what could not be installed with $manager ($(grep -v '^[[:space:]]*$' "$log" | tail -1)); the whole output is in $log."
}

jdk_is_new_enough() { # HOME_OF_A_JDK
  local version
  [[ -x $1/bin/javac && -x $1/bin/java ]] || return 1
  version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  [[ -n $version && $version -ge 17 ]]
}

find_jdk() {
  local candidate javac
  javac=$(command -v javac || true)
  [[ -z $javac ]] || javac=$(readlink -f "$javac" 2>/dev/null || echo "$javac")
  for candidate in "${JAVA_HOME:-}" "${javac%/bin/javac}" "$(/usr/libexec/java_home -v 17+ 2>/dev/null || true)" \
    "$HOME"/.sdkman/candidates/java/current /usr/lib/jvm/* \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec; do
    if [[ -n $candidate ]] && jdk_is_new_enough "$candidate"; then
      echo "$candidate"
      return
    fi
  done
}

# Sets JAVA_HOME to a JDK of Java 17 or later, installing one where there is none.
need_jdk() {
  local found
  found=$(find_jdk)
  if [[ -z $found ]]; then
    case $(package_manager) in
      apt-get) install_first "A JDK (Java 17 or later)" openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless ;;
      dnf) install_first "A JDK (Java 17 or later)" java-17-openjdk-devel java-21-openjdk-devel java-25-openjdk-devel ;;
      *) install_first "A JDK (Java 17 or later)" openjdk@21 ;;
    esac
    found=$(find_jdk)
    [[ -n $found ]] || die "The JDK just installed is not where it was expected; set JAVA_HOME to it and try again."
  fi
  export JAVA_HOME=$found
}
