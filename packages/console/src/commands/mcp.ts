export async function run(_args: readonly string[]): Promise<number> {
  throw new Error('This command is not there yet.');
}
