import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countOf, describePostgres, freshDatabase, temporaryFolder, until } from '@binnacle/stores/testkit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'
import { openBank } from '#testkit/backups/bank.ts'

const ACT = serverAuditContext('test')
const BACKUPS = countOf('bankBackups')
const SUM = 50_000

test(
  '[BACKUP-10] SQLite backups taken under transfers keep the sum of balances',
  async () => {
    const file = join(temporaryFolder(), 'bank.sqlite')
    const source = { type: 'sqlite', file } as const
    const bank = await openBank(source)
    const { backups, folder } = await newBackups()
    const seen = new Set<string>()
    for (let nth = 0; nth < BACKUPS; nth++) {
      const { name } = await backups.make(ACT, subjectOf(source), quietControl())
      const balances = balancesOf(join(folder, name, 'contents', 'database.sqlite'))
      expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(SUM)
      seen.add(balances.join())
      await until(() => expect(seen).not.toContain(balancesOf(file).join()))
    }
    expect(await bank.close()).toBeGreaterThan(BACKUPS)
    expect(seen.size).toBe(BACKUPS)
  },
  300_000 + BACKUPS * 12_000,
)

describePostgres('PostgreSQL', () => {
  test(
    '[BACKUP-10] backups taken under transfers keep the sum of balances',
    async () => {
      const { url, superUrl, binFolder } = await freshDatabase(onTestFinished)
      const source = { type: 'postgresql', url } as const
      const bank = await openBank(source)
      const { backups } = await newBackups(binFolder)
      const ids: number[] = []
      for (let nth = 0; nth < BACKUPS; nth++) {
        ids.push((await backups.make(ACT, subjectOf(source), quietControl())).id)
        const { all } = await balancesIn(url)
        await until(async () => expect((await balancesIn(url)).all).not.toBe(all))
      }
      expect(await bank.close()).toBeGreaterThan(BACKUPS)
      const seen = new Set<string>()
      for (const id of ids) {
        await backups.restore(ACT, subjectOf({ ...source, url: superUrl }), id, quietControl())
        const { sum, all } = await balancesIn(url)
        expect(Number(sum)).toBe(SUM)
        seen.add(all)
      }
      expect(seen.size).toBe(BACKUPS)
    },
    300_000 + BACKUPS * 12_000,
  )
})

function balancesOf(file: string): number[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const rows = database.prepare('SELECT balance FROM accounts ORDER BY id').all()
  database.close()
  return rows.map(({ balance }) => Number(balance))
}

async function balancesIn(url: string): Promise<{ sum: string; all: string }> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(
    "SELECT sum(balance) AS sum, string_agg(balance::text, ',' ORDER BY id) AS all FROM accounts",
  )
  await client.end()
  return rows[0]
}
