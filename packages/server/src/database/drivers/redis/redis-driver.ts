import { createCollector } from '../collect-rows.ts'
import type { Driver, Target } from '../driver.ts'
import { FOR_EXPORT, FOR_SCREEN } from '../encode.ts'
import { readOnlyConnection, StoreRefusal, unknownTable } from '../store-refusal.ts'
import { type JudgedCommand, judgeCommand } from './command-guard.ts'
import { databaseNumber, redisPlace } from './connection-options.ts'
import { boundCommand } from './cost/bound-command.ts'
import { openKeyExport } from './exports.ts'
import { greet, listDatabases } from './greeting.ts'
import { KEY_COLUMNS } from './key-values.ts'
import { readPage } from './pages.ts'
import { rowsOfReply } from './replies.ts'
import { openVisits, type Send } from './visit.ts'

export function createRedisDriver(target: Target): Driver {
  const place = redisPlace(target)
  const { database } = place
  const visits = openVisits(place)
  const admit = (command: string) => admitCommand(command, database, target)
  return {
    kind: 'redis',
    can: abilitiesOf(target),
    ping: (signal) => visits.visit({ database }, signal, greet),
    tables: (signal) => visits.visit({ database }, signal, (send) => listDatabases(send, database)),
    schema: async (table, signal) => {
      await visits.visit({ database: tableNumber(table) }, signal, async () => undefined)
      return {
        columns: KEY_COLUMNS.map((column, cid) => ({
          ...column,
          cid,
          notnull: cid < 2 ? 1 : 0,
          pk: cid === 0 ? 1 : 0,
        })),
      }
    },
    page: async (request, signal) =>
      visits.visit({ database: tableNumber(request.table) }, signal, (send) => readPage(send, request)),
    check: async (command) => {
      const { kind, confirm } = admit(command)
      return { kind, confirm }
    },
    async run(command, caps, signal) {
      const judged = admit(command)
      const reply = await visits.visit({ database }, signal, (send) => sendCommand(send, judged))
      const { columns, rows } = rowsOfReply(judged, reply, FOR_SCREEN)
      const collector = createCollector(caps)
      rows.every((row) => collector.add(row))
      const rowsAffected = judged.kind === 'write' ? changedBy(reply) : null
      return { columns, ...collector.end(columns), rowsAffected }
    },
    async stream(source, signal) {
      if (!('statement' in source)) {
        return openKeyExport(visits, { ...source, database: tableNumber(source.table) }, signal)
      }
      const judged = admit(source.statement)
      if (judged.kind === 'write') {
        throw new StoreRefusal('store.refused', 'Only what a reading command finds can be exported.')
      }
      const reply = await visits.visit({ database }, signal, (send) => sendCommand(send, judged))
      const { columns, rows } = rowsOfReply(judged, reply, FOR_EXPORT)
      return { columns, batches: inBatches(rows) }
    },
    async explain() {
      throw new StoreRefusal('store.unsupported', 'Redis runs a command as it is; there is no plan to show.')
    },
    close: async () => visits.close(),
  }
}

function abilitiesOf({ writable }: Target): Driver['can'] {
  return {
    language: 'commands',
    write: writable,
    explain: false,
    sort: false,
    filter: true,
    backup: true,
    restore: writable,
  }
}

function admitCommand(command: string, database: number, { writable }: Target): JudgedCommand {
  const judged = judgeCommand(command, database)
  if (judged.kind === 'write' && !writable) throw readOnlyConnection(`${judged.name} would change something`)
  return judged
}

async function sendCommand(send: Send, command: JudgedCommand): Promise<unknown> {
  await boundCommand(send, command)
  return send(command.name, ...command.args)
}

function tableNumber(table: string): number {
  if (!/^db\d{1,5}$/.test(table)) throw unknownTable(table)
  return databaseNumber(table)
}

/** An integer tells how many; 'OK' stands for one. */
function changedBy(reply: unknown): number {
  return typeof reply === 'number' ? reply : Number(reply !== null)
}

async function* inBatches(rows: unknown[][]): AsyncGenerator<unknown[][]> {
  for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500)
}
