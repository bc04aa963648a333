import type { Engine, EnginePlace } from '#database/drivers/hosted/engine.ts'

export async function openParquetEngine(_place: Extract<EnginePlace, { kind: 'parquet' }>): Promise<Engine> {
  throw new Error('not yet')
}
