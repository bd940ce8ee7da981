/* stream_create.c: creating streams; their flags, priorities and ids. */
#include "../situation.h"

SITUATION("cudaStreamCreate(NULL); WithFlags(NULL); WithPriority(NULL); WithFlags with flags 2; "
          "99; WithPriority with flags 99")
{
    gives(InvalidValue, cudaStreamCreate(NULL));
    gives(InvalidValue, cudaStreamCreateWithFlags(NULL, cudaStreamNonBlocking));
    gives(InvalidValue, cudaStreamCreateWithPriority(NULL, cudaStreamDefault, 0));
    cudaStream_t s = NULL;
    gives(InvalidValue, cudaStreamCreateWithFlags(&s, 2));
    gives(InvalidValue, cudaStreamCreateWithFlags(&s, 99));
    gives(InvalidValue, cudaStreamCreateWithPriority(&s, 99, 0));
}

SITUATION("cudaStreamGetFlags of a blocking stream; non-blocking; 0; cudaStreamLegacy; "
          "cudaStreamPerThread; NULL result",
          "f: 0; 1; 0; 0; 0")
{
    cudaStream_t which[] = {new_stream(0), nonblocking_stream(), 0, cudaStreamLegacy,
                            cudaStreamPerThread};
    for (int i = 0; i < 5; i++) {
        unsigned f = 99;
        answer(cudaStreamGetFlags(which[i], &f));
        answer_text("%u", f);
    }
    gives(InvalidValue, cudaStreamGetFlags(which[0], NULL));
}

SITUATION("cudaStreamGetPriority after asking for 0, -1, -5, -100, 100", "p: 0; -1; -5; -5; 0")
{
    static const int asked[] = {0, -1, -5, -100, 100};
    for (int i = 0; i < 5; i++) {
        cudaStream_t s = NULL;
        int p = 99;
        MUST(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, asked[i]));
        MUST(cudaStreamGetPriority(s, &p));
        answer_text("%d", p);
    }
}

SITUATION("cudaStreamGetPriority of 0; cudaStreamLegacy; cudaStreamPerThread; a plain stream; NULL "
          "result")
{
    cudaStream_t which[] = {0, cudaStreamLegacy, cudaStreamPerThread, new_stream(0)};
    for (int i = 0; i < 4; i++) {
        int p = 99;
        answer(cudaStreamGetPriority(which[i], &p));
        shows("0", "%d", p);
    }
    gives(InvalidValue, cudaStreamGetPriority(which[3], NULL));
}

SITUATION("cudaStreamGetId: 0 and cudaStreamLegacy; cudaStreamPerThread; two streams; NULL result")
{
    unsigned long long zero = 0, legacy = 0, thread = 0, a = 0, b = 0;
    answer(cudaStreamGetId(0, &zero));
    answer(cudaStreamGetId(cudaStreamLegacy, &legacy));
    answer(cudaStreamGetId(cudaStreamPerThread, &thread));
    answer(cudaStreamGetId(new_stream(0), &a));
    answer(cudaStreamGetId(new_stream(0), &b));
    shows("legacy same", zero == legacy ? "legacy same" : "legacy differs");
    fact("other ids", "others differ", "%s",
         a != b && a != zero && thread != zero && thread != a ? "others differ" : "others same");
    gives(InvalidValue, cudaStreamGetId(0, NULL));
}

SITUATION("cudaStreamGetDevice with a NULL result", CRASHES_ON_GPU)
{
    gives(InvalidValue, cudaStreamGetDevice(new_stream(0), NULL));
}

SITUATION("cudaStreamGetDevice of a stream, of NULL, of cudaStreamPerThread")
{
    int d = 99;
    answer(cudaStreamGetDevice(new_stream(0), &d));
    shows("0", "%d", d);
    d = 99;
    answer(cudaStreamGetDevice(NULL, &d));
    shows("0", "%d", d);
    d = 99;
    answer(cudaStreamGetDevice(cudaStreamPerThread, &d));
    shows("0", "%d", d);
}

SITUATION("200 streams made and destroyed; 200 events; an id is not given twice")
{
    unsigned long long first = 0, id = 0;
    int same = 0;
    for (int i = 0; i < 200; i++) {
        cudaStream_t s = nonblocking_stream();
        MUST(cudaStreamGetId(s, &id));
        same += i > 0 && id == first;
        first = i == 0 ? id : first;
        MUST(cudaStreamDestroy(s));
    }
    shows("0", "%d", same);
}
