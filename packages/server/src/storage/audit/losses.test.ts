import { expect, test } from 'vitest'
import { faultOfLoss, findOpenLosses, type LossRecord } from './losses.ts'

const AT = '2026-03-04T09:00:00.000Z'

test('[ADM-142] a restore of the admin store acknowledges the loss that it causes, and no earlier one', () => {
  expect(openAfter(loss(5), restore(6))).toEqual([])
  expect(openAfter(loss(3), loss(5), restore(6))).toEqual([3])
  expect(openAfter(loss(5), restore(6, 'binnacle-journal'))).toEqual([5])
  expect(openAfter(restore(4), loss(5))).toEqual([5])
})

test('[ADM-141] an acknowledgement covers all losses before it and none after it', () => {
  expect(openAfter(loss(3), loss(5), record(6, 'acknowledge-loss.command'))).toEqual([])
  expect(openAfter(loss(3), record(4, 'acknowledge-loss.command'), loss(5))).toEqual([5])
})

test('[ADM-140] a loss names the records that are missing', () => {
  const fault = (seq: number, markedSeq: number) => faultOfLoss({ seq, at: AT, markedSeq })
  expect(fault(2, 525)).toMatchObject({
    seq: 2,
    detail: expect.stringContaining('has lost records 2 to 525:'),
  })
  expect(fault(9, 4)).toMatchObject({ seq: 4, detail: expect.stringContaining('has lost record 4:') })
})

function openAfter(...records: LossRecord[]): number[] {
  return findOpenLosses(records).map(({ seq }) => seq)
}

function loss(seq: number): LossRecord {
  return { ...record(seq, 'audit.compare'), before: `{"hash":"ab","seq":${seq + 7}}` }
}

function restore(seq: number, target = 'binnacle-admin'): LossRecord {
  return { ...record(seq, 'restore.command'), target }
}

function record(seq: number, action: string): LossRecord {
  return { seq, at: AT, action, target: 'head', before: null }
}
