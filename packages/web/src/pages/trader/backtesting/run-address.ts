/** What the address of the screen says. */
export interface RunAddress {
  /** The run that is shown. */
  run: string | undefined
  compared: readonly string[]
}

export const MAX_COMPARED = 6

/** BT-24: what is no id of a run is left out. */
export function readAddress(params: URLSearchParams): RunAddress {
  const ids = (params.get('compare') ?? '').split(',').filter(isId)
  return {
    run: [params.get('run') ?? ''].find(isId),
    compared: [...new Set(ids)].slice(0, MAX_COMPARED),
  }
}

export function writeAddress({ run, compared }: RunAddress): URLSearchParams {
  return new URLSearchParams({
    ...(run !== undefined && { run }),
    ...(compared.length > 0 && { compare: compared.join(',') }),
  })
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}
