import type { Id, Route } from '@binnacle/contract'
import { useId } from 'react'
import { copy } from './copy.ts'
import { boundsText } from './route-bounds.ts'
import { draftOf, type RouteDraft } from './route-draft.ts'
import { RouteForm } from './route-form.tsx'
import { type RouteAct, RouteRow } from './route-row.tsx'
import classes from './routes-list.module.css'

/** The row that is, or last was, a form. */
export interface Editing {
  routeId: Id
  isOpen: boolean
}

export interface RoutesListProps {
  routes: readonly Route[]
  /** Ids, as texts, of routes with a change or test under way. */
  busy: ReadonlySet<string>
  editing: Editing | undefined
  onAct: (act: RouteAct, route: Route) => void
  onSave: (route: Route, draft: RouteDraft) => void
  onCancelEdit: () => void
}

export function RoutesList({ routes, busy, editing, onAct, onSave, onCancelEdit }: RoutesListProps) {
  const reasonId = useId()
  const reason = boundsText(routes)
  return (
    <>
      {reason && (
        <p id={reasonId} className={classes.reason}>
          {reason}
        </p>
      )}
      <ul className={classes.list} aria-label={copy.routes}>
        {routes.map((route) => {
          const isBusy = busy.has(String(route.id))
          const isEdited = route.id === editing?.routeId
          return (
            <li key={String(route.id)}>
              {isEdited && editing?.isOpen ? (
                <RouteForm
                  label={`${copy.edit} ${route.path}`}
                  initial={draftOf(route)}
                  submitLabel={copy.save}
                  isBusy={isBusy}
                  onSubmit={(draft) => onSave(route, draft)}
                  onCancel={onCancelEdit}
                />
              ) : (
                <RouteRow
                  route={route}
                  isBusy={isBusy}
                  isBackFromEdit={isEdited}
                  reasonId={reasonId}
                  onAct={onAct}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
