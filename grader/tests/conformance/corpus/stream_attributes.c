/* stream_attributes.c: attributes of streams. */
#include "../situation.h"

static void stream_attribute(cudaStream_t s, int id)
{
    cudaStreamAttrValue v;
    memset(&v, 0x11, sizeof v);
    cudaError_t e = cudaStreamGetAttribute(s, (cudaStreamAttrID)id, &v);
    answer_fact("attribute, error, value", "%d %s %#x", id, error_text(e), *(unsigned *)&v);
}

SITUATION("cudaStreamGetAttribute of a new stream: attributes 0 to 10: error and first word; "
          "priority, policy, domain, domain map of NULL, of cudaStreamPerThread",
          "attribute, error, value: 0 InvalidValue 0x11111111; 1 Success 0; 2 InvalidValue "
          "0x11111111; 3 Success 0xffffffff; 4 InvalidValue 0x11111111; 5 InvalidValue 0x11111111; "
          "6 InvalidValue 0x11111111; 7 InvalidValue 0x11111111; 8 Success 0; 9 Success "
          "0x11110100; 10 Success 0; 8 Success 0; 3 Success 0xffffffff; 10 Success 0; 9 Success "
          "0x11110100; 8 Success 0; 3 Success 0xffffffff; 10 Success 0; 9 Success 0x11110100")
{
    cudaStream_t s = new_stream(0);
    for (int id = 0; id < 11; id++)
        stream_attribute(s, id);
    static const int ids[] = {cudaLaunchAttributePriority, cudaLaunchAttributeSynchronizationPolicy,
                              cudaLaunchAttributeMemSyncDomain,
                              cudaLaunchAttributeMemSyncDomainMap};
    for (int i = 0; i < 4; i++)
        stream_attribute(NULL, ids[i]);
    for (int i = 0; i < 4; i++)
        stream_attribute(cudaStreamPerThread, ids[i]);
}

SITUATION("stream memory sync domain set to 2; domain map to 1 and 0, to 7 and 9; get of each; "
          "priority set on NULL",
          "attribute, error, value: 10 Success 0; 9 Success 0x11110001; 9 Success 0x11110001; 8 "
          "Success 0xfffffffd")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v = {0};
    v.memSyncDomain = (cudaLaunchMemSyncDomain)2;
    gives(InvalidValue, cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomain);
    memset(&v, 0, sizeof v);
    v.memSyncDomainMap.default_ = 1;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomainMap, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomainMap);
    v.memSyncDomainMap.default_ = 7;
    v.memSyncDomainMap.remote = 9;
    gives(InvalidValue, cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomainMap, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomainMap);
    v.priority = -3;
    answer(cudaStreamSetAttribute(NULL, cudaLaunchAttributePriority, &v));
    stream_attribute(NULL, cudaLaunchAttributePriority);
}

SITUATION("stream policy set to spin 2, yield 3, blocking 4, auto 1, 0, -1: error and the value "
          "read back",
          "cudaStreamSetAttribute: Success; Success; Success; Success; InvalidValue; InvalidValue",
          "attribute, error, value: 3 Success 0x2; 3 Success 0x3; 3 Success 0x4; 3 Success 0x1; 3 "
          "Success 0x1; 3 Success 0x1")
{
    static const int asked[] = {2, 3, 4, 1, 0, -1};
    cudaStream_t s = new_stream(0);
    for (int i = 0; i < 6; i++) {
        cudaStreamAttrValue v = {0};
        v.syncPolicy = (enum cudaSynchronizationPolicy)asked[i];
        answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
        stream_attribute(s, cudaLaunchAttributeSynchronizationPolicy);
    }
}

SITUATION("cudaStreamCopyAttributes to a new stream from one with a priority, a domain, a map; "
          "from a per-thread stream; to NULL; GetPriority after",
          "attribute, error, value: 8 Success 0xfffffffc; 3 Success 0xffffffff; 10 Success 0x1; 9 "
          "Success 0x11110101")
{
    cudaStream_t from = NULL, to = new_stream(0);
    cudaStreamAttrValue v = {0};
    int priority = 99;
    MUST(cudaStreamCreateWithPriority(&from, 0, -4));
    v.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeMemSyncDomain, &v));
    memset(&v, 0, sizeof v);
    v.memSyncDomainMap.default_ = 1;
    v.memSyncDomainMap.remote = 1;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeMemSyncDomainMap, &v));
    answer(cudaStreamCopyAttributes(to, from));
    stream_attribute(to, cudaLaunchAttributePriority);
    stream_attribute(to, cudaLaunchAttributeSynchronizationPolicy);
    stream_attribute(to, cudaLaunchAttributeMemSyncDomain);
    stream_attribute(to, cudaLaunchAttributeMemSyncDomainMap);
    answer(cudaStreamCopyAttributes(to, cudaStreamPerThread));
    answer(cudaStreamGetPriority(to, &priority));
    shows("0", "%d", priority);
    answer(cudaStreamCopyAttributes(NULL, from));
}

SITUATION("the synchronization policy of a new stream, queried with 0, 1, 2, 3, 4, 5, 99, -1 in "
          "the value: what it holds then")
{
    static const int before[] = {0, 1, 2, 3, 4, 5, 99, -1};
    cudaStream_t s = new_stream(0);
    for (int i = 0; i < 8; i++) {
        cudaStreamAttrValue v = {0};
        v.syncPolicy = (enum cudaSynchronizationPolicy)before[i];
        answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
        shows("-1", "%d", (int)v.syncPolicy);
    }
}

SITUATION(
    "cudaStreamGetAttribute priority of a stream made with -2; set to -4 and get; set to 3 and get",
    "priority_of: 0")
{
    cudaStream_t s = NULL;
    cudaStreamAttrValue v = {0};
    MUST(cudaStreamCreateWithPriority(&s, 0, -2));
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    shows("-2", "%d", v.priority);
    v.priority = -4;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    v.priority = 99;
    answer(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
    shows("-4", "%d", v.priority);
    v.priority = 3;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    answer_text("%d", priority_of(s));
}

SITUATION(
    "stream attributes that streams do not have: cooperative, cluster dimension, 99; a NULL value")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v = {0};
    gives(InvalidValue, cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &v));
    gives(InvalidValue, cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &v));
    gives(InvalidValue, cudaStreamGetAttribute(s, cudaLaunchAttributeClusterDimension, &v));
    gives(InvalidValue, cudaStreamGetAttribute(s, (cudaStreamAttrID)99, &v));
}

SITUATION("cudaStreamCopyAttributes takes priority and policy along; onto itself; from NULL",
          "priority_of: -3", "flags_of: 0")
{
    cudaStream_t from = NULL, to = new_stream(0);
    cudaStreamAttrValue v = {0};
    MUST(cudaStreamCreateWithPriority(&from, cudaStreamNonBlocking, -3));
    v.syncPolicy = cudaSyncPolicyYield;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeSynchronizationPolicy, &v));
    answer(cudaStreamCopyAttributes(to, from));
    answer_text("%d", priority_of(to));
    memset(&v, 0, sizeof v);
    answer(cudaStreamGetAttribute(to, cudaLaunchAttributeSynchronizationPolicy, &v));
    shows("3", "%d", (int)v.syncPolicy);
    answer_text("%d", flags_of(to));
    answer(cudaStreamCopyAttributes(to, to));
    answer(cudaStreamCopyAttributes(to, NULL));
}
