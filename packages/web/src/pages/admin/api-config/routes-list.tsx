import type { Id, Route } from '@binnacle/contract'
import { useId } from 'react'
import { copy } from './copy.ts'
import { draftOf, type RouteDraft } from './route-draft.ts'
import { RouteForm } from './route-form.tsx'
import { restrictionText } from './route-restrictions.ts'
import { type RouteAct, RouteRow } from './route-row.tsx'
import classes from './routes.module.css'

/** The row that is being edited, or was edited last. */
export interface EditState {
  routeId: Id
  isOpen: boolean
}

export interface RoutesListProps {
  routes: readonly Route[]
  /** Whether the forms accept only a JSON object as parameters. */
  isChecked: boolean
  /** Ids, as strings, of routes with a pending change or test. */
  busy: ReadonlySet<string>
  editing: EditState | undefined
  canTry: boolean
  onAct: (act: RouteAct, route: Route) => void
  onSave: (route: Route, draft: RouteDraft) => void
  onCancelEdit: () => void
}

export function RoutesList(props: RoutesListProps) {
  const { routes, isChecked, busy, editing, canTry, onAct, onSave, onCancelEdit } = props
  const reasonId = useId()
  const reason = restrictionText(routes)
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
                  isChecked={isChecked}
                  submitLabel={copy.save}
                  isBusy={isBusy}
                  onSubmit={(draft) => onSave(route, draft)}
                  onCancel={onCancelEdit}
                />
              ) : (
                <RouteRow
                  route={route}
                  isBusy={isBusy}
                  takesFocus={isEdited}
                  reasonId={reasonId}
                  canTry={canTry}
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
