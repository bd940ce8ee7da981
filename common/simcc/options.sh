# options.sh: what the options of the command line ask for, by the file `options`; simcc.sh reads it.

make=program output='' folder='' language='' standard=c++17 c_standard='' verbose='' dry='' run=''
sources=() define=() compile=() link=() headers=() headers_file='' headers_target='' run_arguments=() left_out=() recorded_only='' absent_libraries=''
runtime=(-lcudart_static) # the same as with nvcc: simcc.mk says what it is

# split SEPARATORS VALUE: the parts of the value; a separator in quotes, or after a backslash, is part of a part
split() {
    local i c quote='' word='' begun=''
    parts=()
    for ((i = 0; i < ${#2}; i++)); do
        c=${2:i:1}
        if [ "$c" = \\ ]; then
            i=$((i + 1))
            word+=${2:i:1} begun=1
        elif [ -n "$quote" ]; then
            [ "$c" = "$quote" ] && quote='' || word+=$c
        elif [[ $c == [\"\'] ]]; then
            quote=$c begun=1
        elif [[ $1 == *"$c"* ]]; then
            [ -z "$begun" ] || parts+=("$word")
            word='' begun=''
        else
            word+=$c begun=1
        fi
    done
    [ -z "$begun" ] || parts+=("$word")
}

# to_host OPTION...: what nvcc passes on to the host's compiler
to_host() {
    local option
    for option; do
        case $option in
        -fopenmp | -openmp | -pg | -rdynamic) compile+=("$option") link+=("$option") ;;
        -shared | -static-lib* | -Wl,* | -l?* | -L?*) link+=("$option") ;;
        -fsanitize=*) compile+=("$option") link+=("$option") record=() ;;
        *) compile+=("$option") ;;
        esac
    done
}

# The libraries of the toolkit beside the runtime: absent_functions stand in for their functions.
library() {
    local part
    case $1 in
    cudart* | cudadevrt | cuda | nvToolsExt) return ;;
    esac
    for part in cublas cufft curand cusolver cusparse cudnn nccl npp nvrtc nvjpeg nvidia-ml cupti; do
        [[ $1 == "$part"* ]] || continue
        absent_libraries+="${absent_libraries:+|}${part/nvidia-ml/nvml}"
        echo "simcc: -l$1 is left out: the simulated device has no such library" >&2
        return
    done
    link+=("-l$1")
}

version() {
    local number
    number=$(sed -nE 's/^#define CUDART_VERSION +([0-9]+).*/\1/p' "$cuda/cuda_runtime_api.h")
    number=$((number / 1000)).$((number % 1000 / 10))
    echo "simcc compiles CUDA programs for a simulated device. CMake looks for the next lines:"
    echo "nvcc: NVIDIA (R) Cuda compiler driver"
    echo "Cuda compilation tools, release $number, V$number.0"
}

# follow ACTION OPTION VALUE
follow() {
    local part
    parts=()
    [ "$1" != read-options ] || [ -r "$3" ] || die "cannot read the options in $3"
    case $1 in
    include* | system-include | library* | run-arguments | to-*) split $', \t' "$3" ;;
    read-options) split $' \t\n' "$(<"$3")" ;;
    esac
    case $1 in
    output) output=$3 ;;
    objects | device-link | program | archive) make=$1 ;;
    separate-objects) make=objects define+=(-D__CUDACC_RDC__) ;;
    separate-code) [ "$3" != true ] || define+=(-D__CUDACC_RDC__) ;;
    text:*) make=text text=${1#*:} ;;
    headers:*) headers+=("${1#*:}") ;;
    headers-file) headers_file=$3 ;;
    headers-target) headers_target=$3 ;;
    run) run=1 ;;
    run-arguments) run_arguments+=("${parts[@]}") ;;
    folder) folder=$3 ;;
    language) language=$3 ;;
    version) version; exit ;;
    help) echo "$usage"; echo "The options of nvcc, and what becomes of each: $nvcc_options"; exit ;;
    say:*) echo "${1#*:}"; exit ;;
    verbose) verbose=1 ;;
    dry-run) verbose=1 dry=1 ;;
    read-options) parse "${parts[@]}" ;;
    refuse) die "$2 asks for code for a GPU, and the simulated device has none: leave this option out" ;;
    include-file) for part in "${parts[@]}"; do define+=(-include "$part"); done ;;
    include) define+=("${parts[@]/#/-I}") ;;
    system-include) for part in "${parts[@]}"; do define+=(-isystem "$part"); done ;;
    define) define+=("-D$3") ;;
    undefine) define+=("-U$3") ;;
    macro:*) define+=("-D${1#*:}") ;;
    library-folder) link+=("${parts[@]/#/-L}") ;;
    library) for part in "${parts[@]}"; do library "$part"; done ;;
    to-host) to_host "${parts[@]}" ;;
    to-linker) for part in "${parts[@]}"; do link+=(-Xlinker "$part"); done ;;
    standard)
        case $3 in
        c++03 | c++11 | c++14) ;; # headers of the device need C++17
        *++*) standard=$3 ;;
        *) c_standard=$3 ;;
        esac ;;
    host:*) to_host "${1#*:}$3" ;;
    warning-is-error) [[ $3 != all-warnings* ]] || compile+=(-Werror) ;;
    runtime)
        case $3 in
        shared) runtime=("-Wl,-rpath,$lib" -lcudart) ;;
        static) runtime=(-lcudart_static) ;;
        none) runtime=() ;;
        *) misused "$2 is static, shared or none" ;;
        esac ;;
    default-stream) [ "$3" != per-thread ] || define+=(-DCUDA_API_PER_THREAD_DEFAULT_STREAM) ;;
    recorded-only) recorded_only=1 ;;
    prepare) make=prepared ;;
    ignore) left_out+=("$2${3:+=$3}") ;;
    *) die "internal error: $nvcc_options has the unknown action $1" ;;
    esac
}

declare -A action takes_value
while read -r what value names; do
    [[ -n $what && $what != '#'* ]] || continue
    for name in $names; do
        action[$name]=$what takes_value[$name]=$value
    done
done <"$nvcc_options"

kinds_of_errors='^(all-warnings|cross-execution-space-call|default-stream-launch|deprecated-declarations|ext-lambda-captures-this|missing-launch-bounds|reorder)(,|$)'

# parse ARGUMENT...
parse() {
    local option name value
    while [ $# -gt 0 ]; do
        option=$1 name=${1#-}
        shift
        if [ "$name" = "$option" ] || [ -z "$name" ]; then
            sources+=("$option")
            continue
        fi
        name=${name#-} value=''
        if [ -z "${action[${name%%=*}]-}" ] && [[ $option == -[DILOUlx]?* || $option == -t[0-9]* ]]; then # -Ifolder
            value=${option:2} name=${option:1:1}
        elif [[ $name == Werror=* && ! ${name#*=} =~ $kinds_of_errors ]]; then # g++'s
            to_host "$option"
            continue
        elif [[ $name == *=* ]] && [ "${takes_value[${name%%=*}]-}" = '=' ]; then # -I=folder
            value=${name#*=} name=${name%%=*}
        elif [ "${takes_value[$name]-}" = '=' ] && { [ "$name" != Werror ] || [[ ${1-} =~ $kinds_of_errors ]]; }; then
            [ $# -gt 0 ] || misused "a value is missing after $option"
            value=$1
            shift
        elif [ -z "${action[$name]-}" ] || [ "$name" = Werror ]; then # g++'s -Werror has no value
            to_host "$option"
            continue
        fi
        follow "${action[$name]}" "${option%%=*}" "$value"
    done
}
