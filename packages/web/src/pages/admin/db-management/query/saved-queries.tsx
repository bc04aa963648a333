import type { Id } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { savedQueryQueries, useDeleteSavedQuery, useSaveQuery } from '#data/databases/query-tools.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import classes from './query-tools.module.css'

export interface SavedQueriesProps {
  connectionId: Id
  draft: string
  onPick: (query: string) => void
}

const loadFailed = toastFailure(copy.savedFailed)

export function SavedQueries({ connectionId, draft, onPick }: SavedQueriesProps) {
  const [name, setName] = useState('')
  const { data: queries = [] } = useQuery(savedQueryQueries.list(connectionId, { onFailure: loadFailed }))
  const save = useSaveQuery({
    onFailure: toastFailure(copy.saveFailed, copy.unknown.save),
    onDone: () => {
      toast('success', copy.saved)
      setName('')
    },
  })
  const remove = useDeleteSavedQuery({
    onFailure: toastFailure(copy.deleteFailed, copy.unknown.delete),
    onDone: () => toast('success', copy.deleted),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.run({ connectionId, name: name.trim(), query: draft })
  }
  return (
    <>
      <form className={classes.tools} onSubmit={submit}>
        <TextField
          label={copy.saveAs}
          labelHidden
          placeholder={copy.saveAs}
          value={name}
          onChange={setName}
        />
        <Button type="submit" disabled={name.trim() === '' || draft.trim() === ''}>
          {copy.save}
        </Button>
      </form>
      {queries.length > 0 && (
        <ul className={classes.saved} aria-label={copy.savedQueries}>
          {queries.map(({ id, name: title, query }) => (
            <li key={String(id)}>
              <Button onClick={() => onPick(query)}>{title}</Button>
              <Button
                kind="quiet"
                aria-label={copy.deleteSaved(title)}
                onClick={() => remove.run({ connectionId, queryId: id })}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
