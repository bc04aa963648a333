/** Of a reading command with parts, the parts that only read. */
export const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  OBJECT: new Set(['ENCODING', 'FREQ', 'IDLETIME', 'REFCOUNT']),
  MEMORY: new Set(['USAGE', 'STATS']),
  COMMAND: new Set(['COUNT', 'DOCS', 'INFO', 'LIST', 'GETKEYS']),
  XINFO: new Set(['STREAM', 'GROUPS', 'CONSUMERS']),
}
