import { ModuleName } from '@binnacle/contract'
import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** What the address of the screen says. */
export interface RunAddress {
  /** The run that is shown. */
  run: string | undefined
  /** The sweep that is shown in place of a run. */
  sweep: string | undefined
  compared: readonly string[]
  /** The module that is open in the editor. */
  module?: string | undefined
}

export const MAX_COMPARED = 6

export function useRunAddress() {
  const [params, setParams] = useSearchParams()
  // BT-131: the router draws a change of the address later than others, so that the page may be drawn with the former
  // address, and the next change may come, before the last one is seen.
  const latest = useRef(readAddress(params))
  useLayoutEffect(() => {
    latest.current = readAddress(params)
  }, [params])
  const setAddress = (change: Partial<RunAddress>) => {
    latest.current = { ...latest.current, ...change }
    setParams(writeAddress(latest.current), { replace: change.run === undefined })
  }
  const setCompared = (id: string, isCompared: boolean) => {
    const others = latest.current.compared.filter((other) => other !== id)
    setAddress({ compared: isCompared ? [...others, id] : others })
  }
  return { address: readAddress(params), setAddress, setCompared }
}

/** BT-24: what is no id of a run is left out. */
export function readAddress(params: URLSearchParams): RunAddress {
  const ids = (params.get('compare') ?? '').split(',').filter(isId)
  return {
    run: [params.get('run') ?? ''].find(isId),
    sweep: [params.get('sweep') ?? ''].find(isId),
    module: [params.get('module') ?? ''].find(isModule),
    compared: [...new Set(ids)].slice(0, MAX_COMPARED),
  }
}

export function writeAddress({ run, sweep, compared, module }: RunAddress): URLSearchParams {
  return new URLSearchParams({
    ...(run !== undefined && { run }),
    ...(sweep !== undefined && { sweep }),
    ...(module !== undefined && { module }),
    ...(compared.length > 0 && { compare: compared.join(',') }),
  })
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}

function isModule(text: string): boolean {
  return ModuleName.safeParse(text).success
}
