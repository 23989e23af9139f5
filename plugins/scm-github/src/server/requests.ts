/** Sent with every request. Source: GitHub REST API, "API versions". */
export const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const;

/** 100 is GitHub's largest page (specification §9). */
export const PAGE = { per_page: 100 } as const;
