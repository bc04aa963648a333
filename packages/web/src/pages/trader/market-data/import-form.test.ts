import type { DataSetUpload } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { columnNames, formOf, mappingOf, nameOf } from './import-form.ts'

const upload: DataSetUpload = {
  upload_id: '1',
  filename: 'BTCUSDT-1m-2024-01.csv',
  bytes: 1,
  format: 'csv',
  columns: ['column0', 'column1', 'column2', 'column3', 'column4'],
  sample: [['a', 'b', 'c', 'd', 'e']],
  mapping: {
    kind: 'bars',
    has_header: false,
    time: 'column0',
    time_unit: 'ms',
    open: 'column1',
    high: 'column2',
    low: 'column3',
    close: 'column4',
  },
  instrument: 'BTCUSDT',
  expires_at: '',
}

test('[MKT-51] the form begins with the guess of the server, and its mapping is that guess', () => {
  const form = formOf(upload, ['ETHUSDT', 'BTCUSDT'])
  expect(form).toMatchObject({ name: 'btcusdt-1m-2024-01', instrument: 'BTCUSDT', hasHeader: false })
  expect(mappingOf(form)).toEqual(upload.mapping)
})

test('[MKT-51] without a guess nothing is mapped', () => {
  const form = formOf({ ...upload, mapping: null, instrument: null }, ['ETHUSDT'])
  expect(form.instrument).toBe('ETHUSDT')
  expect(mappingOf(form)).toBeUndefined()
  expect(mappingOf({ ...form, kind: 'ticks', time: 't', columns: { ...form.columns, price: 'p' } })).toEqual({
    kind: 'ticks',
    has_header: true,
    time: 't',
    time_unit: 'auto',
    price: 'p',
  })
})

test('[MKT-51] columns have the names of the first line, or are counted', () => {
  expect(columnNames(upload, false)).toEqual(upload.columns)
  expect(columnNames(upload, true)).toEqual(['a', 'b', 'c', 'd', 'e'])
  const named = { ...upload, columns: ['x', 'y'], mapping: { ...upload.mapping, has_header: true } }
  expect(columnNames({ ...upload, ...named } as DataSetUpload, false)).toEqual(['column0', 'column1'])
})

test('[MKT-51] a name is made of what the server accepts', () => {
  expect(['Müller & Söhne.csv', '…', 'A'.repeat(60)].map(nameOf)).toEqual([
    'm-ller-s-hne',
    'imported',
    'a'.repeat(40),
  ])
})
