import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { listOf } from '#shared.ts'
import { textUpTo } from '#text.ts'

const SWEEPS = { origin: { capability: 'sweeps' } } as const

export const MODULE_MAX_CHARS = 200_000

/** A file in strategies/ of the data folder that the editor can change. */
export const ModuleName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,59}\.ts$/,
    'must have lower case letters, digits, - and _ only, and end in .ts, such as mine.ts',
  )
  .refine(
    (name) => name !== 'binnacle.ts',
    'must not be binnacle.ts, which has what a module can use. Choose another name, such as mine.ts',
  )

const Source = textUpTo(MODULE_MAX_CHARS)

export const ModuleSummary = object(() => ({
  name: z.string(),
  version: z
    .number()
    .nullable()
    .describe('Of the last save; null when it was never saved here, or changed outside'),
  updated_at: z.string(),
})).meta({ id: 'ModuleSummary' })
export type ModuleSummary = z.output<typeof ModuleSummary>

const ModuleVersion = object(() => ({
  version: z.number(),
  saved_at: z.string(),
  saved_by: z.string(),
  chars: z.number(),
})).meta({ id: 'ModuleVersion' })
export type ModuleVersion = z.output<typeof ModuleVersion>

export const StrategyModule = object(() => ({
  ...ModuleSummary.shape,
  source: z.string(),
  hash: z.string().describe('Of the source; a save names the one it is based on'),
  versions: z.array(ModuleVersion).describe('Newest first'),
})).meta({ id: 'StrategyModule' })
export type StrategyModule = z.output<typeof StrategyModule>

export const ModuleError = object(() => ({ message: z.string(), line: z.number().nullable() })).meta({
  id: 'ModuleError',
})
export type ModuleError = z.output<typeof ModuleError>

const ByName = strictObject(() => ({ name: ModuleName }))

export const strategyModules = {
  list: tradingEndpoint('GET /api/strategy-modules', {
    summary: 'Modules of custom strategies by name',
    role: 'viewer',
    ...SWEEPS,
    reply: listOf('modules', ModuleSummary, {
      template: z.string().describe('Where a new module begins'),
      types: z.string().describe('What a module can use, as TypeScript'),
    }),
  }),
  get: tradingEndpoint('GET /api/strategy-modules/:name', {
    summary: 'A module with its source and versions',
    role: 'viewer',
    ...SWEEPS,
    params: ByName,
    reply: StrategyModule,
  }),
  version: tradingEndpoint('GET /api/strategy-modules/:name/versions/:version', {
    summary: 'The source of an earlier version',
    role: 'viewer',
    ...SWEEPS,
    params: strictObject(() => ({
      name: ModuleName,
      version: z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a version, such as 3'),
    })),
    reply: object(() => ({ source: z.string() })),
  }),
  save: tradingEndpoint('PUT /api/strategy-modules/:name', {
    summary: 'Save a module as a new version',
    role: 'trader',
    ...SWEEPS,
    params: ByName,
    body: strictObject(() => ({
      source: Source,
      base: z
        .string()
        .max(64)
        .nullable()
        .describe('The hash that the change is based on; null for a new module'),
    })),
    reply: StrategyModule,
  }),
  check: tradingEndpoint('POST /api/strategy-modules/:name/check', {
    summary: 'Load a source in a sealed process, without saving it',
    role: 'trader',
    ...SWEEPS,
    params: ByName,
    body: strictObject(() => ({ source: Source })),
    reply: object(() => ({ error: ModuleError.nullable().describe('null when the module can be created') })),
  }),
}
