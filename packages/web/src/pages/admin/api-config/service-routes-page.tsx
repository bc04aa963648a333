import type { Route, Service } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useIsServerProbing } from '#data/api-services/probes.ts'
import { routeQueries } from '#data/api-services/routes.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { takeFocus } from '#ui/control/take-focus.ts'
import { Card } from '#ui/frame/card.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { EMPTY_DRAFT } from './route-draft.ts'
import { RouteForm } from './route-form.tsx'
import type { RouteAct } from './route-row.tsx'
import { RoutesList } from './routes-list.tsx'
import classes from './service-routes-page.module.css'
import { useRouteActions } from './use-route-actions.ts'

export interface ServiceRoutesPageProps {
  service: Service
}

const READING_METHODS = ['GET', 'HEAD']

/** The right column: the routes of one service. */
export function ServiceRoutesPage({ service }: ServiceRoutesPageProps) {
  const actions = useRouteActions(service.id)
  const confirm = useConfirm()
  const isServerProbing = useIsServerProbing()
  const act = (name: RouteAct, route: Route) => {
    if (name === 'delete') confirm.ask(copy.confirmDelete, () => actions.remove(route), nameOf(route))
    else if (name === 'edit') actions.startEdit(route)
    else if (name === 'test') test(route)
    else actions.toggle(route)
  }
  // API-27: our server sends what may change something only when the person says so.
  const test = (route: Route) => {
    const isHarmless = READING_METHODS.includes(route.method)
    if (isHarmless || !isServerProbing) actions.test(route)
    else
      confirm.ask(
        copy.confirmSend(route.method, route.path),
        () => actions.test(route, true),
        copy.confirmSendDetail,
      )
  }
  const opener = (
    <Button
      kind="primary"
      ref={actions.isAdding === false ? takeFocus : null}
      onClick={() => actions.setIsAdding(true)}
    >
      {copy.addRoute}
    </Button>
  )
  return (
    <Card title={copy.routes} actions={!actions.isAdding && opener}>
      <div className={classes.panel}>
        {actions.isAdding && (
          <RouteForm
            label={copy.addRoute}
            initial={EMPTY_DRAFT}
            submitLabel={copy.addRoute}
            isBusy={actions.isAddBusy}
            onSubmit={actions.add}
            onCancel={() => actions.setIsAdding(false)}
          />
        )}
        <Routes service={service} actions={actions} onAct={act} />
      </div>
      {confirm.dialog}
    </Card>
  )
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

interface RoutesProps extends ServiceRoutesPageProps {
  actions: ReturnType<typeof useRouteActions>
  onAct: (act: RouteAct, route: Route) => void
}

function Routes({ service, actions, onAct }: RoutesProps) {
  const load = routeQueries.ofService(service.id, { onFailure: logOnly })
  // The list of services has asked already, for the count.
  const { data: routes, error, isPending } = useQuery({ ...load, refetchOnMount: false })
  if (isPending) return <Loading bare text={copy.loadingRoutes} />
  if (routes?.length === 0) return <EmptyState title={copy.noRoutes} />
  if (!routes)
    return (
      <Notice tone="bad" title={copy.routesLost}>
        {problemText(error)}
      </Notice>
    )
  return (
    <RoutesList
      routes={routes}
      busy={actions.busyRoutes}
      editing={actions.editing}
      onAct={onAct}
      onSave={actions.save}
      onCancelEdit={actions.cancelEdit}
    />
  )
}
