import type { Id, Route, RouteTestResult } from '@binnacle/contract'
import { useState } from 'react'
import {
  useAddRoute,
  useDeleteRoute,
  useEditRoute,
  useTestRoute,
  useToggleRoute,
} from '#data/api-services/routes.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { copy } from './copy.ts'
import { editOf, type RouteDraft } from './route-draft.ts'
import type { EditState } from './routes-list.tsx'

export interface RouteActionsOptions {
  /** API-36: the test is a call of the server itself and needs a second confirmation. */
  onOwnServer: (route: Route, parameters: string | undefined) => void
}

/** The actions on the routes of a service, with their messages and form state. */
export function useRouteActions(serviceId: Id, { onOwnServer }: RouteActionsOptions) {
  const [editing, setEditing] = useState<EditState>()
  const [tried, setTried] = useState<{ route: Route; result?: RouteTestResult }>()
  const [isAdding, setIsAdding] = useState<boolean>()
  const toggle = useToggleRoute({
    onFailure: toastFailure(copy.toggleFailed, copy.unknown.toggle),
    onDone: (_, { route }) =>
      toast('success', route.is_active === 1 ? copy.routeDisabled : copy.routeEnabled),
  })
  const test = useTestRoute({
    onFailure: toastFailure(copy.testFailed, copy.unknown.test),
    onDone: (result, { route, parameters }) => {
      setTried((open) => (open?.route.id === route.id ? { ...open, result } : open))
      if (result.success) toast('success', copy.testSucceeded(result.response_time))
      else if (result.confirm === 'own_server') onOwnServer(route, parameters)
      else toast('error', copy.testRefused(result.error))
    },
  })
  const edit = useEditRoute({
    onFailure: toastFailure(copy.updateFailed, copy.unknown.update),
    onDone: (_, { route }) => {
      toast('success', copy.updated)
      setEditing((open) => (open?.routeId === route.id ? { ...open, isOpen: false } : open))
    },
  })
  const add = useAddRoute({
    onFailure: toastFailure(copy.addFailed, copy.unknown.add),
    onDone: () => {
      toast('success', copy.added)
      setIsAdding(false)
    },
  })
  const remove = useDeleteRoute({
    onFailure: toastFailure(copy.deleteFailed, copy.unknown.delete),
    onDone: () => toast('success', copy.deleted),
  })
  return {
    editing,
    startEdit: (route: Route) => setEditing({ routeId: route.id, isOpen: true }),
    cancelEdit: () => setEditing((open) => open && { ...open, isOpen: false }),
    /** Undefined until the add form is opened for the first time. */
    isAdding,
    setIsAdding,
    busyRoutes: toggle.pendingSubjects,
    isAddBusy: add.pendingSubjects.has(String(serviceId)),
    toggle: (route: Route) => toggle.run({ serviceId, route }),
    /** The route that is tried with parameters of the moment, and its last response. */
    tried,
    startTry: (route: Route) => setTried({ route }),
    endTry: () => setTried(undefined),
    test: (route: Route, isSendConfirmed = false, parameters?: string) =>
      test.run({ serviceId, route, isSendConfirmed, ...(parameters !== undefined && { parameters }) }),
    testOwnServer: (route: Route, parameters?: string) =>
      test.run({
        serviceId,
        route,
        isSendConfirmed: true,
        isOwnConfirmed: true,
        ...(parameters !== undefined && { parameters }),
      }),
    remove: (route: Route) => remove.run({ serviceId, route }),
    save: (route: Route, draft: RouteDraft) => edit.run({ serviceId, route, edit: editOf(draft) }),
    add: (draft: RouteDraft) => add.run({ ...editOf(draft), api_endpoint_id: serviceId }),
  }
}
