import { expect, test } from 'vitest'
import { actOfServer } from '#audit/act.ts'
import { JobFailure } from '#jobs/job.ts'
import { newBackups } from '#testkit/backups/backup-room.ts'
import { newSqlite } from '#testkit/backups/backup-stores.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'
import { withClient } from './postgres/postgres-client.ts'
import { createRounds } from './rounds.ts'

const ACT = actOfServer('test')

test('a PostgreSQL whose name leads nowhere is a failure that a person understands', async () => {
  const asked = withClient('postgresql://desk:secret@nowhere.invalid/desk', async () => 'reached')
  const failure = await asked.then(undefined, (fault: unknown) => fault)
  expect(failure).toBeInstanceOf(JobFailure)
  expect(String(failure)).toMatch(/PostgreSQL does not answer/)
  expect(String(failure)).not.toContain('secret')
})

test('what nobody foresaw is told after all others had their turn', async () => {
  const { source } = await newSqlite()
  let isFirst = true
  const step = () => {
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst) throw new Error('unforeseen')
  }
  const { backups } = await newBackups(undefined, { step })
  const subjects = [subjectOf(source, '1'), subjectOf(source, '2')]
  await expect(createRounds(backups).backUp(ACT, subjects, quietControl())).rejects.toThrow('unforeseen')
  expect(await backups.list('2')).toHaveLength(1)
})
