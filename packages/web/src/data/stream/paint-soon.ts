/** Once per painted frame; a hidden page is not painted, so there a timer counts. */
export function paintSoon(write: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(write, 250)
  else requestAnimationFrame(write)
}
