import type { Route, RouteTestResult } from '@binnacle/contract'
import { useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { TextAreaField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './try-drawer.module.css'

const { tryIt: words } = copy

export interface TryDrawerProps {
  route: Route
  busy: boolean
  result: RouteTestResult | undefined
  onSend: (parameters: string) => void
  onClose: () => void
}

/** API-40: sends a route with parameters of the moment and shows the whole response. */
export function TryDrawer({ route, busy, result, onSend, onClose }: TryDrawerProps) {
  const [parameters, setParameters] = useState(() => initialOf(route))
  return (
    <PageDrawer
      title={words.title(route.method, route.path)}
      onClose={onClose}
      footer={
        <Button kind="primary" busy={busy} onClick={() => onSend(parameters)}>
          {words.send}
        </Button>
      }
    >
      <TextAreaField
        label={words.parameters}
        rows={8}
        value={parameters}
        hint={words.hint}
        spellCheck={false}
        onChange={setParameters}
      />
      {result && <Response result={result} />}
    </PageDrawer>
  )
}

function Response({ result }: { result: RouteTestResult }) {
  const { status, response_time, size, content_type, body, is_cut } = result
  return (
    <section className={classes.response} aria-label={words.response}>
      <div className={classes.head}>
        <Badge tone={result.success ? 'good' : 'bad'}>
          {status === undefined ? words.none : `HTTP ${status}`}
        </Badge>
        <span className={classes.dim}>
          {[
            response_time === undefined ? undefined : words.took(response_time),
            size === undefined ? undefined : words.size(size),
            content_type,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {!result.success && result.error && <Notice tone="bad" title={result.error} isAlert />}
      {body !== undefined && <pre className={classes.body}>{formatted(body, content_type)}</pre>}
      {is_cut && <p className={classes.dim}>{words.cut}</p>}
    </section>
  )
}

/** The stored parameters, with a place for each value that the path needs. */
function initialOf({ path, parameters }: Route): string {
  const stored = objectIn(parameters)
  const names = [...path.matchAll(/\{(\w+)\}|:(\w+)/g)].map(([, braced, named]) => braced ?? named ?? '')
  const missing = Object.fromEntries(names.map((name) => [name, '']))
  const values = names.length === 0 ? stored : { ...stored, path: { ...missing, ...Object(stored.path) } }
  return JSON.stringify(values, null, 2)
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}

function formatted(body: string, type: string | null | undefined): string {
  if (!type?.includes('json')) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
