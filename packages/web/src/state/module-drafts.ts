/** Text of a module that is not saved. */
export interface ModuleDraft {
  source: string
  /** The hash of the source that was changed; null for a new module. */
  base: string | null
}

const drafts = new Map<string, ModuleDraft>()

/** BT-144: what was typed stays until it is saved, discarded, or the tab is closed, whatever the way to another screen. */
export const moduleDrafts = {
  find: (name: string): ModuleDraft | undefined => drafts.get(name),
  keep: (name: string, draft: ModuleDraft): void => void drafts.set(name, draft),
  discard: (name: string): void => void drafts.delete(name),
  /** Text that was typed while it was saved is a change of the saved one. */
  markSaved(name: string, saved: { name: string; source: string; hash: string }): void {
    const draft = drafts.get(name)
    drafts.delete(name)
    if (draft && draft.source !== saved.source)
      drafts.set(saved.name, { source: draft.source, base: saved.hash })
  },
  clear: (): void => drafts.clear(),
}
