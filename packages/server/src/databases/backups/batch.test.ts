import { JobFailure, withClient } from '@binnacle/stores'
import { expect, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import { newSqlite } from '#testkit/backups/backup-stores.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'
import { createBackupBatches } from './batch.ts'

const ACT = serverAuditContext('test')

test('an unknown PostgreSQL host is a JobFailure without the password', async () => {
  const asked = withClient('postgresql://desk:secret@nowhere.invalid/desk', async () => 'reached')
  const failure = await asked.then(undefined, (fault: unknown) => fault)
  expect(failure).toBeInstanceOf(JobFailure)
  expect(String(failure)).toMatch(/PostgreSQL cannot be reached/)
  expect(String(failure)).not.toContain('secret')
})

test('an unexpected error is thrown after all stores were processed', async () => {
  const { source } = await newSqlite()
  let isFirst = true
  const step = () => {
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst) throw new Error('unforeseen')
  }
  const { backups } = await newBackups(undefined, { step })
  const subjects = [subjectOf(source, '1'), subjectOf(source, '2')]
  await expect(createBackupBatches(backups).backUp(ACT, subjects, quietControl())).rejects.toThrow(
    'unforeseen',
  )
  expect(await backups.list('2')).toHaveLength(1)
})
