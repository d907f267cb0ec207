/** Asks DNS for the peers, as a headless service of Kubernetes gives them: `peers: peersFromDns('shop.default.svc', 3000)`. */
export function peersFromDns(name: string, port: number): () => Promise<readonly string[]> {
  return async () => {
    const { lookup } = await import('node:dns/promises');
    const found = await lookup(name, { all: true });
    return found.map(({ address, family }) => `http://${family === 6 ? `[${address}]` : address}:${port}`);
  };
}
