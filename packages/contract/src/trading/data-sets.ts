import * as z from 'zod'
import { JOB_STATES, JobAccepted } from '#admin/jobs.ts'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Done, Id, listOf, PathId } from '#shared.ts'
import { InstrumentName } from './instruments.ts'

const MARKET_DATA = { origin: { capability: 'market-data' } } as const

/** Imported bars under a name; never mixed with the bars of the simulated market. */
export const DataSetName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,39}$/,
    'must have 1 to 40 lower case letters, digits, - and _, and begin with a letter or digit',
  )

/** The lengths of imported bars. Shorter ones, and ticks, are aggregated to 1-minute bars. */
export const DATA_SET_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

/** Limits of a reply. */
export const BAD_ROWS_MAX = 100
export const GAPS_MAX = 1_000

const UploadId = z.string().regex(/^[0-9a-f-]{36}$/, 'must be the upload_id of an upload')
const Column = z.string().min(1).max(200).describe('The name of a column of the upload')

const Common = {
  has_header: z.boolean().describe('The first line has names; without them columns are column0, column1, …'),
  time: Column,
  time_unit: z
    .enum(['auto', 's', 'ms', 'us', 'ns', 'iso'])
    .default('auto')
    .describe('auto: each value by its form and size'),
}

/** Which column is what. The upload has a guess, which the user can change. */
export const DataSetMapping = z
  .union([
    strictObject(() => ({
      kind: z.literal('bars'),
      ...Common,
      open: Column,
      high: Column,
      low: Column,
      close: Column,
      volume: Column.optional().describe('Absent: 0'),
      interval: z
        .enum(DATA_SET_INTERVALS)
        .optional()
        .describe('The length of the bars; default: the usual distance between them'),
    })),
    strictObject(() => ({
      kind: z.literal('ticks'),
      ...Common,
      price: Column,
      quantity: Column.optional().describe('Absent: 0'),
    })),
  ])
  .meta({ id: 'DataSetMapping' })
export type DataSetMapping = z.output<typeof DataSetMapping>

/** The mapping in a reply, tolerant as replies are. */
const GuessedMapping = object(() => ({
  kind: z.enum(['bars', 'ticks']),
  has_header: z.boolean(),
  time: z.string(),
  time_unit: z.string(),
  open: z.string().optional(),
  high: z.string().optional(),
  low: z.string().optional(),
  close: z.string().optional(),
  volume: z.string().optional(),
  interval: z.string().optional(),
  price: z.string().optional(),
  quantity: z.string().optional(),
})).meta({ id: 'GuessedMapping' })

export const DataSetUpload = object(() => ({
  upload_id: z.string(),
  filename: z.string(),
  bytes: z.number(),
  format: z.enum(['csv', 'parquet']),
  columns: z.array(z.string()),
  sample: z.array(z.array(z.string())).describe('The first rows, every value as text'),
  mapping: GuessedMapping.nullable().describe('A guess; null when no columns fit'),
  instrument: z.string().nullable().describe('A guess by the name of the file'),
  expires_at: z.string().describe('The upload is deleted then, unless it was imported'),
})).meta({ id: 'DataSetUpload' })
export type DataSetUpload = z.output<typeof DataSetUpload>

export const BadRow = object(() => ({
  line: z.number().describe('Of a CSV file, counted from 1; the row of a Parquet file'),
  reason: z.string(),
})).meta({ id: 'BadRow' })
export type BadRow = z.output<typeof BadRow>

const PreviewBar = object(() => ({
  at: z.string(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
}))

export const DataSetPreview = object(() => ({
  interval: z.string(),
  rows_examined: z.number().describe('The first rows of the file'),
  bars: z.array(PreviewBar).describe('The first bars as they would be stored'),
  bad_rows: z.number(),
  bad: z.array(BadRow).describe('The first ones'),
})).meta({ id: 'DataSetPreview' })
export type DataSetPreview = z.output<typeof DataSetPreview>

export const NewDataSetImport = strictObject(() => ({
  upload_id: UploadId,
  name: DataSetName,
  instrument: InstrumentName,
  mapping: DataSetMapping,
  dry_run: z.boolean().default(false).describe('Checks the whole file and stores nothing'),
  mode: z
    .enum(['create', 'add'])
    .default('create')
    .describe('add: bars join those of the data set and replace those of the same time, as to fill a gap'),
})).meta({ id: 'NewDataSetImport' })

export const DataSetReport = object(() => ({
  name: z.string(),
  instrument: z.string(),
  interval: z.string(),
  dry_run: z.boolean(),
  rows: z.number().describe('Rows read'),
  bars: z.number().describe('Bars stored; with dry_run, those that would be'),
  bad_rows: z.number().describe('Rows left out'),
  bad: z.array(BadRow).describe(`The first ${BAD_ROWS_MAX} of them`),
  duplicates: z.number().describe('Bars of a time that an earlier row had; the later row counts'),
  rounded: z.number().describe('Rows with a price or volume rounded to the tick or lot of the instrument'),
  from: z.string().nullable().describe('The start of the first bar'),
  to: z.string().nullable().describe('The start of the last bar'),
  gaps: z.number().describe('Gaps between them'),
  duration_ms: z.number(),
})).meta({ id: 'DataSetReport' })
export type DataSetReport = z.output<typeof DataSetReport>

export const DataSetImport = object(() => ({
  job_id: Id,
  title: z.string(),
  state: z.enum(JOB_STATES),
  progress: z.number().min(0).max(1),
  message: z.string().nullish().describe('Current step, or the outcome'),
  error: z.string().nullish().describe('Why it failed'),
  report: DataSetReport.nullish().describe('Once it is done'),
})).meta({ id: 'DataSetImport' })
export type DataSetImport = z.output<typeof DataSetImport>

export const DataSet = object(() => ({
  name: z.string(),
  interval: z.string().describe('The length of its bars; the chart and backtests build longer ones'),
  created_at: z.string(),
  updated_at: z.string(),
  instruments: z.array(
    z.object({
      instrument: z.string(),
      bars: z.number(),
      from: z.string().describe('The start of the first bar'),
      to: z.string().describe('The start of the last bar'),
      gaps: z.number(),
    }),
  ),
})).meta({ id: 'DataSet' })
export type DataSet = z.output<typeof DataSet>

export const DataSetGap = object(() => ({
  from: z.string().describe('The start of the first missing bar'),
  to: z.string().describe('The start of the next bar that is there'),
  missing: z.number().describe('Bars'),
})).meta({ id: 'DataSetGap' })
export type DataSetGap = z.output<typeof DataSetGap>

const ByName = strictObject(() => ({ name: DataSetName }))

export const dataSets = {
  list: tradingEndpoint('GET /api/market/data-sets', {
    summary: 'Data sets by name',
    role: 'viewer',
    ...MARKET_DATA,
    reply: listOf('data_sets', DataSet, {
      upload_limit_bytes: z.number().describe('The largest file that an upload accepts'),
    }),
  }),
  upload: tradingEndpoint('POST /api/market/data-sets/uploads', {
    summary:
      'Upload a CSV or Parquet file of bars or ticks, to import it. The body is the file itself; a larger one than upload_limit_bytes is refused',
    role: 'trader',
    ...MARKET_DATA,
    status: 201,
    consumes: 'application/octet-stream',
    query: strictObject(() => ({ filename: z.string().min(1).max(200) })),
    reply: DataSetUpload,
  }),
  preview: tradingEndpoint('POST /api/market/data-sets/preview', {
    summary: 'The first bars of an upload as a mapping reads them; stores nothing',
    role: 'trader',
    ...MARKET_DATA,
    body: strictObject(() => ({ upload_id: UploadId, instrument: InstrumentName, mapping: DataSetMapping })),
    reply: DataSetPreview,
  }),
  import: tradingEndpoint('POST /api/market/data-sets', {
    summary: 'Import an upload as a job, or check all of it with dry_run',
    role: 'trader',
    ...MARKET_DATA,
    status: 202,
    body: NewDataSetImport,
    reply: JobAccepted,
  }),
  progress: tradingEndpoint('GET /api/market/data-sets/imports/:id', {
    summary: 'How far an import is, and its report once it is done',
    role: 'viewer',
    ...MARKET_DATA,
    params: strictObject(() => ({ id: PathId.describe('The job_id of the import') })),
    reply: DataSetImport,
  }),
  gaps: tradingEndpoint('GET /api/market/data-sets/:name/gaps', {
    summary: `The gaps in the bars of an instrument, oldest first, at most ${GAPS_MAX}; an import with mode add fills them`,
    role: 'viewer',
    ...MARKET_DATA,
    params: ByName,
    query: strictObject(() => ({ instrument: InstrumentName })),
    reply: listOf('gaps', DataSetGap, { total: z.number().describe('All gaps, listed or not') }),
  }),
  delete: tradingEndpoint('DELETE /api/market/data-sets/:name', {
    summary: 'Delete a data set with all its bars',
    role: 'admin',
    ...MARKET_DATA,
    params: ByName,
    reply: Done,
  }),
}
