import type { Id, Route } from '@binnacle/contract'
import { useState } from 'react'
import {
  useAddRoute,
  useBusyRoutes,
  useDeleteRoute,
  useEditRoute,
  useGrowingServices,
  useTestRoute,
  useToggleRoute,
} from '#data/api-services/routes.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { copy } from './copy.ts'
import { editOf, type RouteDraft } from './route-draft.ts'
import type { Editing } from './routes-list.tsx'

/** What can be done to the routes of a service, with the words that follow; the page only wires it to its parts. */
export function useRouteActions(serviceId: Id) {
  const [editing, setEditing] = useState<Editing>()
  const [isAdding, setIsAdding] = useState<boolean>()
  const toggle = useToggleRoute({
    onFailure: toastFailure(copy.toggleFailed),
    onDone: ({ route }) => toast('success', route.is_active === 1 ? copy.routeDisabled : copy.routeEnabled),
  })
  const test = useTestRoute({
    onFailure: toastFailure(copy.testFailed),
    onDone: (_, result) =>
      result.success
        ? toast('success', copy.testSucceeded(result.response_time))
        : toast('error', copy.testRefused(result.error)),
  })
  const edit = useEditRoute({
    onFailure: toastFailure(copy.updateFailed),
    onDone: ({ route }) => {
      toast('success', copy.updated)
      setEditing((open) => (open?.routeId === route.id ? { ...open, isOpen: false } : open))
    },
  })
  const add = useAddRoute({
    onFailure: toastFailure(copy.addFailed),
    onDone: () => {
      toast('success', copy.added)
      setIsAdding(false)
    },
  })
  const remove = useDeleteRoute({
    onFailure: toastFailure(copy.deleteFailed),
    onDone: () => toast('success', copy.deleted),
  })
  return {
    editing,
    startEdit: (route: Route) => setEditing({ routeId: route.id, isOpen: true }),
    cancelEdit: () => setEditing((open) => open && { ...open, isOpen: false }),
    /** Undefined until the add form was opened for the first time. */
    isAdding,
    setIsAdding,
    busyRoutes: useBusyRoutes(),
    isAddBusy: useGrowingServices().has(String(serviceId)),
    toggle: (route: Route) => toggle({ serviceId, route }),
    test: (route: Route, isSendMeant = false) => test({ serviceId, route, isSendMeant }),
    remove: (route: Route) => remove({ serviceId, route }),
    save: (route: Route, draft: RouteDraft) => edit({ serviceId, route, edit: editOf(draft) }),
    add: (draft: RouteDraft) => add({ ...editOf(draft), api_endpoint_id: serviceId }),
  }
}
