# shellcheck shell=bash
# Where a RabbitMQ is to be had, and a private throw-away node. To be sourced after machine.sh.

# named_broker ARG...: host:port of the broker that whoever calls has named, by the environment or an argument.
named_broker() {
  local argument host=${RABBITMQ_HOST:-} port=${RABBITMQ_PORT:-}
  for argument in "$@"; do
    case $argument in
      -Drabbitmq-host=*) host=${argument#*=} ;;
      -Drabbitmq-port=*) port=${argument#*=} ;;
    esac
  done
  [[ -z $host ]] || echo "$host:${port:-5672}"
}

docker_answers() {
  local limit=()
  has docker || return 1
  ! has timeout || limit=(timeout 10)
  ${limit[@]+"${limit[@]}"} docker version --format '{{.Server.Version}}' >/dev/null 2>&1 </dev/null
}

listening() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; } # HOST PORT

# first_executable NAME FOLDER...
first_executable() {
  local name=$1 folder
  shift
  for folder in "$@"; do
    if [[ -x $folder/$name ]]; then
      echo "$folder/$name"
      return
    fi
  done
}

# The real rabbitmq-server, which any user may run, not the wrapper in /usr/sbin that changes to the service's user.
rabbitmq_server() { rabbitmq_server_in ""; }

rabbitmq_server_in() { # ROOT, without a slash at its end
  local root=$1
  first_executable rabbitmq-server "$root"/usr/lib/rabbitmq/bin "$root"/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin \
    "$root"/opt/rabbitmq*/sbin "$root"/opt/homebrew/opt/rabbitmq/sbin "$root"/usr/local/opt/rabbitmq/sbin \
    "$root"/home/linuxbrew/.linuxbrew/opt/rabbitmq/sbin
}

port_mapper() {
  first_executable epmd /usr/bin /usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin \
    /usr/lib/erlang/erts-*/bin /usr/lib64/erlang/erts-*/bin
}

need_rabbitmq_server() {
  [[ -z $(rabbitmq_server) ]] || return 0
  case $(package_manager) in
    brew) install_first RabbitMQ rabbitmq ;;
    *) install_first RabbitMQ rabbitmq-server ;;
  esac
  [[ -n $(rabbitmq_server) ]] || die "The rabbitmq-server just installed is not where it was expected; name a broker with RABBITMQ_HOST instead."
}

# A port below the range from which outgoing connections get theirs.
free_port() {
  local port
  while :; do
    port=$((15000 + RANDOM % 17000))
    listening 127.0.0.1 $port || break
  done
  echo $port
}

# Runs a node in FOLDER on PORT until standard input ends, then leaves nothing of it. Needs to be a process of its own.
run_node() { # FOLDER PORT
  local folder=$1 port=$2 mapper node environment
  trap '' HUP INT TERM # ends by its input only
  environment=(env -i "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"
    LANG=C.UTF-8 "HOME=$folder" ERL_EPMD_ADDRESS=127.0.0.1 "ERL_EPMD_PORT=$(free_port)"
    "RABBITMQ_NODENAME=deferred-$port@localhost" "RABBITMQ_DIST_PORT=$(free_port)"
    "RABBITMQ_MNESIA_BASE=$folder/data" "RABBITMQ_LOG_BASE=$folder/log" "RABBITMQ_PID_FILE=$folder/pid"
    "RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf" "RABBITMQ_ADVANCED_CONFIG_FILE=$folder/advanced.config"
    "RABBITMQ_CONF_ENV_FILE=$folder/no-environment.conf" "RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins"
    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1} +B i"
    RUNNING_UNDER_SYSTEMD=true) # makes the process started the Erlang VM itself
  mkdir "$folder/data" "$folder/log"
  printf 'listeners.tcp.1 = 127.0.0.1:%s\ndisk_free_limit.absolute = 50MB\n' "$port" >"$folder/rabbitmq.conf"
  # after a crash, dead-lettering tries again after 5 s and not after 3 min
  echo '[{rabbit, [{dead_letter_worker_publisher_confirm_timeout, 5000}]}].' >"$folder/advanced.config"
  echo '[].' >"$folder/enabled_plugins"
  (umask 077 && printf '%s%s%s' $RANDOM $RANDOM $RANDOM >"$folder/.erlang.cookie")
  "${environment[@]}" "$(port_mapper)" -address 127.0.0.1 -port "${environment[6]#*=}" </dev/null >>"$folder/output" 2>&1 &
  mapper=$!
  "${environment[@]}" "$(rabbitmq_server)" </dev/null >>"$folder/output" 2>&1 &
  node=$!
  echo $node >"$folder/node"
  read -r || true
  kill -KILL $node $mapper 2>/dev/null
  wait
  rm -rf "$folder"
}

# Starts a private node and sets RABBITMQ_HOST, RABBITMQ_PORT and the credentials. It ends with this process, or with
# the program that this process becomes by exec: then file descriptor 9, which is all that keeps it, is closed.
start_node() {
  local folder port waited
  [[ -n $(port_mapper) ]] || die "RabbitMQ is installed, but Erlang's epmd is not where it was expected; name a broker with RABBITMQ_HOST instead."
  folder=$(mktemp -d "${TMPDIR:-/tmp}/deferred-broker-XXXXXX")
  port=$(free_port)
  exec 9> >(run_node "$folder" "$port" >/dev/null 2>&1)
  for ((waited = 0; waited < 480; waited++)); do
    if listening 127.0.0.1 "$port"; then # the node opens it last
      export RABBITMQ_HOST=127.0.0.1 RABBITMQ_PORT=$port RABBITMQ_USERNAME=guest RABBITMQ_PASSWORD=guest
      return
    fi
    if [[ -s $folder/node ]] && ! kill -0 "$(cat "$folder/node")" 2>/dev/null; then break; fi
    sleep 0.25
  done
  cat "$folder/output" >&2
  die "The private RabbitMQ node did not start, for the reason above; name a broker with RABBITMQ_HOST instead."
}
