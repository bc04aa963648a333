type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/**
 * Names calls: 'GET /api/orders', 'DELETE /api/orders/:id' (any id), 'DELETE /api/orders/O-1' (that one),
 * 'GET /api/*' (everything below) or '*' (every call).
 */
export type CallPattern = '*' | `${Method} /${string}`

export type Params = Record<string, string>

/** The pattern's parameters, decoded, or undefined when the call is another one. */
export function matchCall(pattern: string, method: string, path: string): Params | undefined {
  if (pattern === '*') return {}
  const space = pattern.indexOf(' ')
  if (pattern.slice(0, space) !== method) return undefined
  return matchSegments(pattern.slice(space + 1).split('/'), path.split('/'))
}

function matchSegments(wanted: string[], given: string[]): Params | undefined {
  const open = wanted.at(-1) === '*'
  const fixed = open ? wanted.slice(0, -1) : wanted
  if (open ? given.length < wanted.length : given.length !== wanted.length) return undefined
  const params: Params = {}
  for (const [index, segment] of fixed.entries()) {
    const value = decode(given[index] ?? '')
    if (segment.startsWith(':')) params[segment.slice(1)] = value
    else if (decode(segment) !== value) return undefined
  }
  return params
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
