// host_pairs_threads.cuh: the pairs of host_pairs.cu with host functions, threads and flags in memory.

// ---- host functions and threads

static void host_function_fills(bool waits)
{
    OK(cudaLaunchHostFunc(
        other, [](void *p) { write_all((int *)p); }, pinned));
    if (waits) {
        OK(cudaEventRecord(event, other));
        OK(cudaStreamWaitEvent(s, event, 0));
    }
    OK(cudaMemcpyAsync(dev, pinned, BYTES, cudaMemcpyHostToDevice, s));
}

static void host_function_reads(bool waits)
{
    to_host(s, pinned);
    OK(cudaLaunchHostFunc(
        waits ? s : other, [](void *p) { read_all((int *)p); }, pinned));
}

static void host_function_before(bool waits)
{
    to_host(s, pinned);
    OK(cudaLaunchHostFunc(
        s, [](void *p) { read_all((int *)p); }, waits ? heap : managed));
    OK(cudaMemcpyAsync(managed, dev, BYTES, cudaMemcpyDeviceToHost, waits ? s : other));
}

struct message {
    std::mutex lock;
    std::condition_variable came;
    bool is_there;
};

static void host_function_tells(bool waits)
{
    message m = {};
    to_host(s, pinned);
    OK(cudaLaunchHostFunc(
        s,
        [](void *p) {
            std::lock_guard<std::mutex> guard(((message *)p)->lock);
            ((message *)p)->is_there = true;
            ((message *)p)->came.notify_one();
        },
        &m));
    if (!waits)
        kept = pinned[0];
    std::unique_lock<std::mutex> guard(m.lock);
    m.came.wait(guard, [&] { return m.is_there; });
    kept = pinned[0];
    guard.unlock();
    OK(cudaStreamSynchronize(s));
}

// Two functions count in the same memory; a lock orders them, too.
static void count_up(void *data)
{
    (*(int *)data)++;
}

static void two_functions(cudaHostFn_t function, bool waits)
{
    OK(cudaLaunchHostFunc(s, function, pinned));
    OK(cudaEventRecord(event, s));
    if (waits)
        OK(cudaStreamWaitEvent(other, event));
    OK(cudaLaunchHostFunc(other, function, pinned));
}

static void host_function_beside_another(bool waits)
{
    two_functions(count_up, waits);
}

static void host_function_with_a_lock(bool waits)
{
    static std::mutex lock;
    const cudaHostFn_t locks = [](void *data) {
        std::lock_guard<std::mutex> held(lock);
        count_up(data);
    };
    two_functions(waits ? locks : count_up, false);
}

static void host_function_with_atomics(bool waits)
{
    const cudaHostFn_t counts = [](void *data) {
        __atomic_fetch_add((int *)data, 1, __ATOMIC_SEQ_CST);
    };
    two_functions(waits ? counts : count_up, false);
}

static void another_thread(bool waits)
{
    to_host(s, pinned);
    wait_if(waits, s);
    std::thread([] { kept = pinned[0]; }).join();
}

static void another_thread_waits(bool waits)
{
    to_host(s, pinned);
    std::thread([=] { OK(cudaStreamSynchronize(waits ? s : other)); }).join();
    kept = pinned[0];
}

static void threads_with_a_lock(bool waits)
{
    message m = {};
    to_device(s, pinned);
    std::thread waiter([&] {
        OK(cudaStreamSynchronize(waits ? s : other));
        std::lock_guard<std::mutex> guard(m.lock);
        m.is_there = true;
        m.came.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(m.lock);
        m.came.wait(guard, [&] { return m.is_there; });
    }
    write_all(pinned);
    waiter.join();
}

static void producer_thread(bool waits)
{
    std::atomic<int> filled(0), taken(0);
    std::thread producer([&] {
        for (int i = 1; i <= 3; i++) {
            while (taken < i - 1 && waits)
                ;
            write_all(pinned);
            filled = i;
        }
    });
    for (int i = 1; i <= 3; i++) {
        while (filled < i)
            ;
        to_device(s, pinned);
        if (!waits)
            pinned[2] = 1;
        OK(cudaStreamSynchronize(s));
        taken = i;
    }
    producer.join();
}

// ---- flags in memory

static void flag_of_a_kernel(bool waits)
{
    int *data = pinned, *flag = pinned + 64;
    *flag = 0;
    publish<<<1, 1, 0, s>>>(data, flag);
    while (waits && *(volatile int *)flag == 0)
        ; // it takes half a second; the other flags are polled
    kept = data[0];
}

static void atomic_flag_of_a_copy(bool waits)
{
    static const int one = 1;
    int *flag = pinned + 64;
    *flag = 0;
    OK(cudaMemcpyAsync(pinned, dev, 100, cudaMemcpyDeviceToHost, s));
    OK(cudaMemcpyAsync(heap, dev + 10, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaMemsetAsync(flag, one, 4, s));
    while (waits && __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
        poll(nullptr, 0, 1); // the device goes on sooner than beside a loop that spins
    kept = pinned[0];
}
