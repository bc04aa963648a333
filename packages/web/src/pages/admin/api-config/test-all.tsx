import type { Route, Service } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RouteTestReport, routeQueries, useTestAllRoutes } from '#data/api-services/routes.ts'
import { logOnly } from '#data/failure.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog } from '#ui/control/dialog.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import { canTest } from './route-restrictions.ts'

const { testAll: words } = copy
const COLUMNS = ['Route', 'Result', 'Time'].map((title) => ({ title }))

/** API-41: tests every route that only reads, and reports each. */
export function TestAll({ service }: { service: Service }) {
  const { data: routes = [] } = useQuery({
    ...routeQueries.ofService(service.id, { onFailure: logOnly }),
    refetchOnMount: false,
  })
  const [reports, setReports] = useState<readonly RouteTestReport[]>([])
  const test = useTestAllRoutes({
    onFailure: toastFailure(words.failed, words.unknown),
    onDone: setReports,
  })
  const testable = routes.filter(isTestable)
  const passed = reports.filter(({ result }) => result.success).length
  return (
    <>
      <Button
        busy={test.isPending}
        onClick={() => (testable.length === 0 ? toast('info', words.none) : test.run(testable))}
      >
        {words.button}
      </Button>
      <Dialog
        title={words.title(passed, reports.length)}
        size="large"
        opened={reports.length > 0}
        onClose={() => setReports([])}
      >
        <Table label={words.button} columns={COLUMNS}>
          {reports.map(({ route, result }) => (
            <tr key={String(route.id)}>
              <Cell mono>
                {route.method} {route.path}
              </Cell>
              <Cell>
                <Badge tone={result.success ? 'good' : 'bad'}>
                  {result.success ? copy.tryIt.ok : result.error}
                </Badge>
              </Cell>
              <Cell align="end">
                {result.response_time === undefined ? '' : copy.tryIt.took(result.response_time)}
              </Cell>
            </tr>
          ))}
        </Table>
        <p>{words.skipped(routes.length - reports.length)}</p>
      </Dialog>
    </>
  )
}

/** Only reads, needs no values, and is not switched off. */
function isTestable(route: Route): boolean {
  const isReading = route.method === 'GET' || route.method === 'HEAD'
  return isReading && route.is_active === 1 && canTest(route) && !/\{\w+\}|\/:\w+/.test(route.path)
}
