export interface Beta { name: string }
