/** Why a custom strategy was stopped, in words for the person whose module it is. */
export class ModuleFailure extends Error {}
