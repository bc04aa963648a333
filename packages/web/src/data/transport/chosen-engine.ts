const STORAGE_KEY = 'binnacle.engine'

/** ENGS-12: of this tab, so that a change in another one does not move it; new tabs begin with the last choice. */
let chosen = readStored()

/** The name of the engine that this page shows; undefined for the backend's first one. */
export function chosenEngine(): string | undefined {
  return chosen
}

/**
 * Shows another engine; undefined for the first one. The page is loaded again, so that nothing of one engine can be
 * shown for another.
 */
export function switchEngineAndReload(
  name: string | undefined,
  reload = () => window.location.reload(),
): void {
  chosen = name
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      if (name === undefined) storage().removeItem(STORAGE_KEY)
      else storage().setItem(STORAGE_KEY, name)
    } catch {
      // Storage may be forbidden; then the first engine is shown after a reload.
    }
  }
  reload()
}

/** For tests. */
export function resetChosenEngine(): void {
  chosen = readStored()
}

function readStored(): string | undefined {
  try {
    const name = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY)
    if (name !== null) sessionStorage.setItem(STORAGE_KEY, name)
    return name ?? undefined
  } catch {
    return undefined
  }
}
