export default async function loaded(server) {
  server.get('/loaded', async () => 'loaded');
}
