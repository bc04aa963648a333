import type { Route, Service } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useIsServerProbing } from '#data/api-services/probes.ts'
import { routeQueries } from '#data/api-services/routes.ts'
import { useIsLive } from '#data/capabilities.ts'
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
import classes from './routes.module.css'
import { RoutesList } from './routes-list.tsx'
import { TestAll } from './test-all.tsx'
import { TryDrawer } from './try-drawer.tsx'
import { useRouteActions } from './use-route-actions.ts'

export interface ServiceRoutesPageProps {
  service: Service
}

const READING_METHODS = ['GET', 'HEAD']

export function ServiceRoutesPage({ service }: ServiceRoutesPageProps) {
  const confirm = useConfirm()
  const actions = useRouteActions(service.id, {
    onOwnServer: (route, parameters) =>
      confirm.ask({
        question: copy.confirmOwnServer(route.method, route.path),
        detail: copy.confirmOwnServerDetail,
        action: copy.sendToOwnServer,
        onConfirm: () => actions.testOwnServer(route, parameters),
      }),
  })
  const isServerProbing = useIsServerProbing()
  const isLive = useIsLive()
  const act = (name: RouteAct, route: Route) => {
    if (name === 'delete')
      confirm.ask({
        question: copy.confirmDelete,
        detail: nameOf(route),
        action: copy.delete,
        onConfirm: () => actions.remove(route),
      })
    else if (name === 'edit') actions.startEdit(route)
    else if (name === 'test') test(route)
    else if (name === 'try') actions.startTry(route)
    else toggle(route)
  }
  // API-34: switching off a call of this server affects everybody at once.
  const toggle = (route: Route) => {
    if (route.is_builtin !== 1 || route.is_active === 0) actions.toggle(route)
    else
      confirm.ask({
        question: copy.confirmDisable(route.method, route.path),
        detail: copy.confirmDisableDetail,
        action: copy.disable,
        onConfirm: () => actions.toggle(route),
      })
  }
  // API-27: the server sends a request that may change data only after a confirmation.
  const test = (route: Route, parameters?: string) => {
    const isHarmless = READING_METHODS.includes(route.method)
    if (isHarmless || !isServerProbing) actions.test(route, false, parameters)
    else
      confirm.ask({
        question: copy.confirmSend(route.method, route.path),
        detail: copy.confirmSendDetail,
        action: copy.send,
        onConfirm: () => actions.test(route, true, parameters),
      })
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
    <Card
      title={copy.routes}
      actions={
        <>
          {isServerProbing && <TestAll service={service} />}
          {!actions.isAdding && opener}
        </>
      }
    >
      <div className={classes.panel}>
        {actions.isAdding && (
          <RouteForm
            label={copy.addRoute}
            initial={EMPTY_DRAFT}
            isChecked={isLive}
            submitLabel={copy.addRoute}
            isBusy={actions.isAddBusy}
            onSubmit={actions.add}
            onCancel={() => actions.setIsAdding(false)}
          />
        )}
        <Routes service={service} actions={actions} canTry={isServerProbing} onAct={act} />
      </div>
      {actions.tried && (
        <TryDrawer
          key={String(actions.tried.route.id)}
          route={actions.tried.route}
          busy={actions.busyRoutes.has(String(actions.tried.route.id))}
          result={actions.tried.result}
          onSend={(parameters) => actions.tried && test(actions.tried.route, parameters)}
          onClose={actions.endTry}
        />
      )}
      {confirm.dialog}
    </Card>
  )
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

interface RoutesProps extends ServiceRoutesPageProps {
  actions: ReturnType<typeof useRouteActions>
  canTry: boolean
  onAct: (act: RouteAct, route: Route) => void
}

function Routes({ service, actions, canTry, onAct }: RoutesProps) {
  const isLive = useIsLive()
  const load = routeQueries.ofService(service.id, { onFailure: logOnly })
  // The services list has already loaded the routes for its count.
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
      isChecked={isLive}
      busy={actions.busyRoutes}
      editing={actions.editing}
      canTry={canTry}
      onAct={onAct}
      onSave={actions.save}
      onCancelEdit={actions.cancelEdit}
    />
  )
}
