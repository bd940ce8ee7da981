"""The model of lab 11 in PyTorch: a decoder step, run eagerly and as a CUDA graph.

Prints rows of decode.csv, x,variant,median,p5,p95,n,unit; nothing where there is no PyTorch or GPU.
"""
import statistics
import sys
import time

try:
    import torch
    from torch.nn import functional as F
except ImportError:
    sys.exit(0)
if not torch.cuda.is_available():
    sys.exit(0)

LAYERS, HEADS, WIDTH, CONTEXT, TOKENS = 12, 12, 768, 128, 256
KIND = dict(device="cuda", dtype=torch.bfloat16)
torch.set_grad_enabled(False)
torch.manual_seed(1)


def weights(rows, columns):
    return torch.randn(rows, columns, **KIND) * columns**-0.5


class Layer:
    def __init__(self, batch):
        self.qkv, self.project = weights(3 * WIDTH, WIDTH), weights(WIDTH, WIDTH)
        self.up, self.down = weights(4 * WIDTH, WIDTH), weights(WIDTH, 4 * WIDTH)
        self.norm = torch.ones(WIDTH, **KIND)
        self.cache = torch.zeros(2, batch, HEADS, CONTEXT, WIDTH // HEADS, **KIND)

    def step(self, x):
        batch = len(x)
        qkv = F.linear(F.rms_norm(x, (WIDTH,), self.norm), self.qkv)
        q, k, v = qkv.view(batch, 3, HEADS, -1).unbind(1)
        self.cache[0, :, :, -1] = k
        self.cache[1, :, :, -1] = v
        a = F.scaled_dot_product_attention(q.unsqueeze(2), self.cache[0], self.cache[1])
        x = x + F.linear(a.reshape(batch, WIDTH), self.project)
        h = F.gelu(F.linear(F.rms_norm(x, (WIDTH,), self.norm), self.up))
        return x + F.linear(h, self.down)


class Decoder:
    def __init__(self, batch):
        self.layers = [Layer(batch) for _ in range(LAYERS)]
        self.embedding, self.positions = weights(TOKENS, WIDTH), weights(CONTEXT, WIDTH)
        self.head, self.norm = weights(TOKENS, WIDTH), torch.ones(WIDTH, **KIND)
        self.token = torch.zeros(batch, device="cuda", dtype=torch.long)
        self.position = torch.full((batch,), CONTEXT - 1, device="cuda")

    def step(self):
        x = F.embedding(self.token, self.embedding) + F.embedding(self.position, self.positions)
        for layer in self.layers:
            x = layer.step(x)
        logits = F.linear(F.rms_norm(x, (WIDTH,), self.norm), self.head)
        self.token.copy_(logits.argmax(-1))


def measure(batch, variant, step, steps=16, repetitions=40):
    times = []
    for _ in range(repetitions + 5):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / steps * 1e6)
    times = sorted(times[5:])
    p5, p95 = times[len(times) // 20], times[-1 - len(times) // 20]
    print(f"{batch},{variant},{statistics.median(times):.6g},{p5:.6g},{p95:.6g},{len(times)},us", flush=True)


for batch in (1, 2, 4, 8, 16, 32):
    decoder = Decoder(batch)
    for _ in range(3):
        decoder.step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        decoder.step()
    measure(batch, "torch.eager", decoder.step, repetitions=15)
    measure(batch, "torch.graph", graph.replay)
