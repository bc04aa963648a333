/**
 * The environment of a child process. The server's own may hold secrets, so a child gets none of it but the folder of
 * Node's compile cache, which saves a quarter of a second per start.
 */
export function childEnvironment(env: Record<string, string> = {}): Record<string, string> {
  const { NODE_COMPILE_CACHE: cache } = process.env
  return cache === undefined ? env : { NODE_COMPILE_CACHE: cache, ...env }
}
