import { createCollector } from '#collect-rows.ts'
import type { ConnectionConfig, Driver } from '#driver.ts'
import type { ExportCell, ExportColumn } from '#export-form.ts'
import { readKeySizes } from '#redis/cost/key-sizes.ts'
import { MAX_ITEMS, refused } from '#redis/cost/limits.ts'
import { READ_COMMANDS } from '#redis/cost/read-commands.ts'
import { WRITE_COMMANDS } from '#redis/cost/write-commands.ts'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'
import { createRedisConnections, type Send } from './connection.ts'
import { parseRedisAddress } from './connection-options.ts'
import { exportCell, exportColumn } from './export-forms.ts'
import { type ClassifiedCommand, classifyCommand } from './guard.ts'
import { KEY_FILTERS } from './key-scan.ts'
import { encodeReply } from './key-values.ts'
import { readPage } from './pages.ts'
import { rowsOfReply } from './rows.ts'
import { readServerInfo } from './server-info.ts'
import { openKeyExport } from './stream.ts'
import { databaseOfTable, KEY_SCHEMA, listDatabases } from './tables.ts'

export function createRedisDriver(config: ConnectionConfig): Driver {
  const address = parseRedisAddress(config)
  const { database } = address
  const connections = createRedisConnections(address)
  const check = (command: string) => checkCommand(command, database, config)
  return {
    kind: 'redis',
    capabilities: capabilitiesOf(config),
    ping: (signal) => connections.use({ database }, signal, readServerInfo),
    tables: (signal) => connections.use({ database }, signal, (send) => listDatabases(send, database)),
    schema: async (table, signal) => {
      await connections.use({ database: databaseOfTable(table) }, signal, async () => undefined)
      return KEY_SCHEMA
    },
    page: async (request, signal) =>
      connections.use({ database: databaseOfTable(request.table) }, signal, (send) =>
        readPage(send, request),
      ),
    async run(command, caps, signal, beforeWrite) {
      const classified = check(command)
      if (classified.kind === 'write') await beforeWrite?.(classified.confirm)
      const reply = await connections.use({ database }, signal, (send) => sendCommand(send, classified))
      const { columns, rows } = rowsOfReply(classified, reply)
      const collector = createCollector(caps)
      rows.every((row) => collector.add(row.map(encodeReply)))
      // An integer reply may be a count, a value or a length, so it is never reported as changed rows.
      return { columns, ...collector.end(columns), rowsAffected: null }
    },
    async stream(source, signal) {
      if (!('statement' in source)) {
        return openKeyExport(connections, { ...source, database: databaseOfTable(source.table) }, signal)
      }
      const classified = check(source.statement)
      if (classified.kind === 'write') {
        throw new StoreRefusal('store.refused', 'Only the result of a reading command can be exported.')
      }
      const reply = await connections.use({ database }, signal, (send) => sendCommand(send, classified))
      const { columns, rows } = rowsOfReply(classified, reply)
      const forms = columns.map(exportColumn)
      return { columns: forms, batches: inBatches(rows, forms) }
    },
    async explain() {
      throw new StoreRefusal('store.unsupported', 'Redis has no query plans.')
    },
    close: async () => connections.close(),
  }
}

function capabilitiesOf({ writable }: ConnectionConfig): Driver['capabilities'] {
  return {
    language: 'commands',
    write: writable,
    explain: false,
    sort: false,
    filter: true,
    filters: KEY_FILTERS,
    backup: true,
    restore: writable,
  }
}

function checkCommand(command: string, database: number, { writable }: ConnectionConfig): ClassifiedCommand {
  const classified = classifyCommand(command, database)
  if (classified.kind === 'write' && !writable) throw readOnlyConnection(`${classified.name} changes data`)
  return classified
}

async function sendCommand(send: Send, command: ClassifiedCommand): Promise<unknown> {
  await checkCost(send, command)
  return send(command.name, ...command.args)
}

/** STORE-12: refuses a command that could block the server for long. Redis cannot stop a running command. */
async function checkCost(send: Send, { name, args }: ClassifiedCommand): Promise<void> {
  if (args.length > MAX_ITEMS) {
    throw refused(
      `${name} has ${args.length} arguments. At most ${MAX_ITEMS.toLocaleString('en-US')} are allowed.`,
    )
  }
  const words = args.map((word) => word.toString('latin1').toUpperCase())
  const check = READ_COMMANDS.get(name) ?? WRITE_COMMANDS.get(name)
  await check?.({ name, args, words, sizes: readKeySizes(send) })
}

async function* inBatches(
  rows: unknown[][],
  columns: readonly ExportColumn[],
): AsyncGenerator<ExportCell[][]> {
  for (let at = 0; at < rows.length; at += 500) {
    yield rows
      .slice(at, at + 500)
      .map((row) => columns.map((column, index) => exportCell(row[index], column)))
  }
}
