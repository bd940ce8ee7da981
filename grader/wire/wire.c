/* wire.c: messages over the channel, and the descriptors beside them. */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Room for one descriptor. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

int wire_connect(const char *name, size_t n)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    memcpy(to.sun_path + 1, name, n < sizeof to.sun_path - 1 ? n : sizeof to.sun_path - 1);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n)) == 0)
        return fd;
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

bool wire_send(int channel, const void *message, size_t bytes, int fd)
{
    union control control;
    struct iovec iov = {(void *)message, bytes};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    memset(&control, 0, sizeof control);
    if (fd >= 0) {
        m.msg_control = control.bytes;
        m.msg_controllen = sizeof control.bytes;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    ssize_t sent;
    do
        sent = sendmsg(channel, &m, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)bytes;
}

ssize_t wire_receive(int channel, void *message, size_t bytes, int flags, int *fd)
{
    union control control;
    struct iovec iov = {message, bytes};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fd) {
        *fd = -1;
        m.msg_control = control.bytes;
        m.msg_controllen = sizeof control.bytes;
    }
    ssize_t got;
    do
        got = recvmsg(channel, &m, flags | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    struct cmsghdr *c = fd && got >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return got;
}

uint64_t wire_sum(const void *part, uint64_t offset, size_t bytes)
{
    const char *from = part;
    uint64_t sum = 0;
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, from + i, sizeof word);
        const uint64_t mixed = (word + ((offset + i) << 32)) * UINT64_C(0x9e3779b97f4a7c15);
        sum += word ? (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) : 0;
    }
    return sum;
}
