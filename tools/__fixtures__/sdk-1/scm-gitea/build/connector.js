import { ConnectorError, NOTHING_TO_SET, Type, answerJson, branchPath, defineConnector, definePlugin, defineServer, filePath, hasKeyMark, hasKeyTrailer, isConnectorError, isOwnCommit, monogram, readAnswer, settingsBy, unpinnedActions, withKeyMark, withKeyTrailer } from "@breakwater/sdk";
import { createHash } from "node:crypto";
// src/plugin.ts
const gitea = defineConnector({
	id: "gitea",
	title: "Gitea",
	category: "source-control",
	image: monogram("Gi"),
	description: "Reads repositories of your Gitea or Forgejo server, and opens pull requests and issues.",
	documentation: "https://docs.gitea.com/development/api-usage",
	credentials: {
		type: "object",
		required: [
			"oauth_token",
			"protocol",
			"hosted_domain",
			"port"
		],
		properties: {
			oauth_token: {
				type: "string",
				writeOnly: true,
				title: "Access token",
				description: "Filled when you sign in with Gitea; or made there: Settings, Applications, with access to \"user\" and \"repository\".",
				maxLength: 4e3
			},
			protocol: {
				type: "string",
				enum: ["https", "http"],
				default: "https",
				title: "Protocol",
				description: "https, unless the server runs in your own network without a certificate."
			},
			hosted_domain: {
				type: "string",
				format: "hostname",
				title: "Domain",
				description: "Host name of the server, such as gitea.example.com.",
				pattern: "^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$",
				maxLength: 253
			},
			port: {
				type: "integer",
				default: 443,
				minimum: 1,
				maximum: 65535,
				title: "Port",
				description: "443 for https, 3000 for a server as Gitea installs it."
			},
			refresh_token: {
				type: "string",
				writeOnly: true,
				title: "Refresh token",
				description: "Filled when you sign in with Gitea; a token made by hand needs none.",
				maxLength: 4e3
			},
			oauth_client_id: {
				type: "string",
				title: "Application ID",
				description: "Only for sign-in at your own server: Settings, Applications, OAuth2 applications.",
				pattern: "^[\\x21-\\x7e]+$",
				maxLength: 300
			},
			oauth_client_secret: {
				type: "string",
				writeOnly: true,
				title: "Application secret",
				description: "The secret that the server showed for that application.",
				maxLength: 1e3
			}
		}
	},
	auth: {
		type: "oauth2",
		authorizeUrl: "{{protocol}}://{{hosted_domain}}:{{port}}/login/oauth/authorize",
		tokenUrl: "{{protocol}}://{{hosted_domain}}:{{port}}/login/oauth/access_token",
		scopes: [
			"read:user",
			"read:organization",
			"write:repository",
			"write:issue"
		],
		pkce: true,
		tokenAuth: "body",
		refresh: "rotate",
		tokenField: "oauth_token",
		refreshField: "refresh_token",
		clientIdField: "oauth_client_id",
		clientSecretField: "oauth_client_secret"
	},
	baseUrl: "{{protocol}}://{{hosted_domain}}:{{port}}/api/v1",
	permissions: { egress: ["{{hosted_domain}}:{{port}}"] }
});
const plugin = definePlugin({
	id: "scm-gitea",
	version: "0.1.0",
	publisher: "Gitea connector",
	connectors: [gitea]
});
// src/server/answers.ts
const User = Type.Object({
	id: Type.Integer(),
	login: Type.String({ minLength: 1 }),
	email: Type.Optional(Type.String())
});
const Repository = Type.Object({
	id: Type.Integer(),
	full_name: Type.String(),
	html_url: Type.String(),
	clone_url: Type.Optional(Type.String()),
	default_branch: Type.Optional(Type.String()),
	private: Type.Optional(Type.Boolean()),
	archived: Type.Optional(Type.Boolean()),
	has_issues: Type.Optional(Type.Boolean()),
	permissions: Type.Optional(Type.Object({
		push: Type.Optional(Type.Boolean()),
		admin: Type.Optional(Type.Boolean())
	}))
});
const SearchResults = Type.Object({ data: Type.Array(Repository) });
const Branch = Type.Object({
	name: Type.String(),
	commit: Type.Object({ id: Type.String() }),
	protected: Type.Optional(Type.Boolean())
});
const Refusal = Type.Object({ message: Type.String() });
const Commits = Type.Array(Type.Object({
	sha: Type.String({ minLength: 1 }),
	commit: Type.Object({ message: Type.String() })
}));
const ContentRow = Type.Object({
	type: Type.String(),
	name: Type.String(),
	path: Type.String(),
	sha: Type.String()
});
const Content = Type.Union([ContentRow, Type.Array(ContentRow)]);
const FilesCommit = Type.Object({ commit: Type.Object({ sha: Type.String({ minLength: 1 }) }) });
const Author = Type.Optional(Type.Union([Type.Object({ login: Type.String() }), Type.Null()]));
const Text = Type.Optional(Type.String());
const Numbered = Type.Object({
	number: Type.Integer(),
	html_url: Type.String(),
	body: Text,
	user: Author
});
const NumberedList = Type.Array(Numbered);
const State = Type.String({ minLength: 1 });
const PullRequestState = Type.Object({
	state: State,
	merged: Type.Optional(Type.Boolean())
});
const IssueState = Type.Object({ state: State });
const Tag = Type.Object({ commit: Type.Object({ sha: Type.String({ minLength: 1 }) }) });
const Label = Type.Object({
	id: Type.Integer(),
	name: Type.String()
});
const Labels = Type.Array(Label);
const Comment = Type.Object({
	id: Type.Integer(),
	html_url: Type.String(),
	body: Text,
	user: Author
});
const Comments = Type.Array(Comment);
const Status = Type.Object({
	status: Type.String(),
	context: Type.String(),
	description: Text,
	target_url: Text
});
const Statuses = Type.Array(Status);
const Hook = Type.Object({
	id: Type.Integer(),
	config: Type.Record(Type.String(), Type.String())
});
const Hooks = Type.Array(Hook);
const PushDelivery = Type.Object({
	ref: Type.String(),
	after: Type.String({ minLength: 1 }),
	repository: Type.Object({ id: Type.Integer() })
});
const Side = Type.Object({
	ref: Type.String(),
	sha: Type.String(),
	repo_id: Type.Optional(Type.Integer())
});
const PullRequestDelivery = Type.Object({
	action: Type.String(),
	number: Type.Integer(),
	repository: Type.Object({ id: Type.Integer() }),
	pull_request: Type.Object({
		head: Side,
		base: Side,
		merged: Type.Optional(Type.Boolean())
	})
});
const IssueDelivery = Type.Object({
	action: Type.String(),
	number: Type.Integer(),
	repository: Type.Object({ id: Type.Integer() })
});
const BranchRules = Type.Object({
	protected: Type.Boolean(),
	required_approvals: Type.Optional(Type.Integer()),
	effective_branch_protection_name: Text
});
const Protection = Type.Object({
	require_signed_commits: Type.Optional(Type.Boolean()),
	required_approvals: Type.Optional(Type.Integer()),
	enable_force_push: Type.Optional(Type.Boolean())
});
const DeployKeys = Type.Array(Type.Object({ title: Type.String() }));
// src/server/check.ts
async function checkGitea({ http }) {
	const user = readAnswer(User, explained(await http.request({
		path: "/user",
		accept: [403, 404]
	})));
	const found = await http.request({
		path: "/repos/search",
		query: {
			uid: user.id,
			limit: 1
		},
		accept: [403]
	});
	readAnswer(SearchResults, explained(found));
	return { identity: user.login };
}
function explained(answer) {
	const body = answerJson(answer);
	if (answer.status === 404) throw new ConnectorError("config", "There is no Gitea API at this address.", { help: "Check protocol, domain and port; the API must be reachable below /api/v1." });
	if (answer.status !== 403) return body;
	const scopes = neededScopes(body);
	throw new ConnectorError("scope", `The token lacks a scope: ${scopes}.`, { help: "Make a token with read access to \"user\" and \"repository\" under Settings, Applications." });
}
function neededScopes(body) {
	try {
		return /\[([a-z:, ]+)\]/.exec(readAnswer(Refusal, body).message)?.[1] ?? "read:user, read:repository";
	} catch (error) {
		if (isConnectorError(error)) return "read:user, read:repository";
		throw error;
	}
}
// src/server/requests.ts
async function nameRepository(http, repository) {
	if (!/^[0-9]{1,20}$/.test(repository)) throw new ConnectorError("config", "Gitea knows repositories by a number.");
	const answer = await http.request({
		path: `/repositories/${repository}`,
		accept: [404]
	});
	if (answer.status === 404) throw new ConnectorError("config", "Gitea does not show this repository to the connection.", { help: "Was it deleted? Else give the user of the token access to it." });
	const facts = readAnswer(Repository, answerJson(answer));
	return {
		facts,
		path: `/repos/${facts.full_name.split("/").map(encodeURIComponent).join("/")}`
	};
}
const NAMED = new WeakMap();
function nameOnce(http, repository) {
	const known = NAMED.get(http) ?? new Map();
	NAMED.set(http, known);
	const named = known.get(repository) ?? nameRepository(http, repository);
	known.set(repository, named);
	named.catch(() => known.delete(repository));
	return named;
}
async function openRepository(http, repository, role) {
	const named = await nameRepository(http, repository);
	const { full_name: name, archived, permissions } = named.facts;
	if (archived === true) throw new ConnectorError("config", `${name} is archived, so nothing can be written to it.`, { help: "Unarchive it on Gitea: Settings, Danger zone." });
	if (role !== "read" && permissions?.[role] === false) {
		const title = role === "admin" ? "Administrator" : "Write";
		throw new ConnectorError("scope", `The user of the token may not write to ${name}.`, { help: `Make the user a collaborator with the role "${title}", or connect as somebody who has it.` });
	}
	const ask = (scope, request) => granted(name, scope, () => http.request(request));
	return {
		...named,
		ask,
		json: async (scope, request) => answerJson(await ask(scope, request)),
		granted: (scope, work) => granted(name, scope, work)
	};
}
async function granted(name, scope, work) {
	try {
		return await work();
	} catch (error) {
		if (!isConnectorError(error) || error.code !== "scope") throw error;
		throw new ConnectorError("scope", `Gitea does not let this token write to ${name}. ${error.message}`, {
			help: `Make a token with write access to "${scope}" under Settings, Applications; a protected branch must let the user push.`,
			cause: error
		});
	}
}
function refusalWords(answer) {
	return readAnswer(Refusal, answerJson(answer)).message.slice(0, 300);
}
async function ownLogin(http) {
	return readAnswer(User, await http.json({ path: "/user" })).login;
}
// src/server/commits.ts
const ATTEMPTS = 5;
const RECENT = 50;
const createBranch = async ({ http }, { repository, branch, from }) => {
	branchPath(branch);
	const open = await openRepository(http, repository, "push");
	const start = await commitOf(open, from);
	const answer = await open.ask("repository", {
		method: "POST",
		path: `${open.path}/branches`,
		body: {
			new_branch_name: branch,
			old_ref_name: start
		},
		accept: [409, 422]
	});
	if (answer.status < 400) {
		readAnswer(Branch, answerJson(answer));
		return;
	}
	const present = await headOf(open, branch);
	if (present === null) throw new ConnectorError("config", `Gitea does not make the branch "${branch}": ${refusalWords(answer)}`);
	if (present === start || await holdsOnlyOwnCommits(open, start, present)) return;
	throw new ConnectorError("config", `The branch "${branch}" exists already and holds commits of others.`, { help: "Delete the branch, or choose another name." });
};
async function holdsOnlyOwnCommits(open, start, head) {
	const { commits, total } = await recentCommits(open, {
		sha: head,
		not: start
	});
	return commits.length === total && commits.every(({ commit }) => isOwnCommit(commit.message));
}
async function recentCommits(open, range) {
	const query = {
		...range,
		stat: false,
		verification: false,
		files: false,
		limit: RECENT
	};
	const answer = await open.ask("repository", {
		path: `${open.path}/commits`,
		query
	});
	return {
		commits: readAnswer(Commits, answerJson(answer)),
		total: Number(answer.headers["x-total-count"])
	};
}
async function headOf(open, branch) {
	const answer = await open.ask("repository", {
		path: `${open.path}/branches/${branchPath(branch)}`,
		accept: [404]
	});
	return answer.status === 404 ? null : readAnswer(Branch, answerJson(answer)).commit.id;
}
async function commitOf(open, name) {
	const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) ? name : await headOf(open, name);
	if (commit !== null) return commit;
	throw new ConnectorError("config", `${open.facts.full_name} has no branch "${name}".`, { help: "Was it renamed or merged? An empty repository has no branches either." });
}
const commitFiles = async ({ http }, { repository, branch, message, files, ...rest }) => {
	const open = await openRepository(http, repository, "push");
	for (const { path } of files) filePath(path);
	let said = "";
	for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
		const head = await commitOf(open, branch);
		const { commits } = await recentCommits(open, { sha: head });
		const made = commits.find(({ commit }) => hasKeyTrailer(commit.message, rest.idempotencyKey));
		if (made !== void 0) return made.sha;
		const changes = (await Promise.all(files.map((file) => changeOf(open, head, file)))).flat();
		if (changes.length === 0) return head;
		const answer = await open.ask("repository", {
			method: "POST",
			path: `${open.path}/contents`,
			body: {
				branch,
				message: withKeyTrailer(message, rest.idempotencyKey),
				files: changes
			},
			accept: [
				404,
				409,
				422
			]
		});
		if (answer.status < 400) return readAnswer(FilesCommit, answerJson(answer)).commit.sha;
		said = refusalWords(answer);
		if (await headOf(open, branch) === head) break;
	}
	throw new ConnectorError("config", `Gitea does not take the commit on "${branch}": ${said}`, { help: "Is the branch protected, or pushed to all the time? Commit to a branch of its own and open a pull request." });
};
async function changeOf(open, head, { path, content }) {
	const answer = await open.ask("repository", {
		path: `${open.path}/contents/${filePath(path)}`,
		query: { ref: head },
		accept: [404]
	});
	const present = answer.status === 404 ? null : readAnswer(Content, answerJson(answer));
	if (Array.isArray(present)) throw new ConnectorError("config", `"${path}" is a folder, so no file can be written there.`);
	const sha = present === null ? {} : { sha: present.sha };
	if (content === null) return present === null ? [] : [{
		operation: "delete",
		path,
		...sha
	}];
	const bytes = Buffer.from(content);
	return present?.type === "file" && present.sha === blobHash(bytes) ? [] : [{
		operation: present === null ? "create" : "update",
		path,
		content: bytes.toString("base64"),
		...sha
	}];
}
function blobHash(bytes) {
	return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
// src/server/pages.ts
const LIMIT = 100;
const MOST_PAGES = 1e4;
async function* rowsOf(http, request, rowsIn) {
	let count = 0;
	for (let page = 1; page <= MOST_PAGES; page += 1) {
		const answer = await http.request({
			path: request.path,
			query: {
				...request.query,
				limit: LIMIT,
				page
			}
		});
		const rows = rowsIn(parse(answer.body));
		yield* rows;
		count += rows.length;
		const total = Number(answer.headers["x-total-count"] ?? NaN);
		if (rows.length === 0 || count >= total) return;
	}
	throw new ConnectorError("upstream", "Gitea answers with the same list again and again.");
}
function parse(body) {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch (cause) {
		throw new ConnectorError("upstream", "Gitea answered with something that is no JSON.", { cause });
	}
}
// src/server/discussions.ts
const DESCRIPTION = 255;
const LABEL_COLOUR = "#b60205";
async function findMarked(http, open, { type, key }) {
	const login = await ownLogin(http);
	const query = {
		state: "all",
		type,
		created_by: login
	};
	const rows = rowsOf(http, {
		path: `${open.path}/issues`,
		query
	}, (page) => readAnswer(NumberedList, page));
	for await (const row of rows) if (row.user?.login === login && hasKeyMark(row.body, key)) return linkOf(row);
	return null;
}
function linkOf({ html_url, number }) {
	return {
		url: html_url,
		number
	};
}
const openPullRequest = async ({ http }, pullRequest) => {
	const { repository, from, into, title, description, idempotencyKey: key } = pullRequest;
	branchPath(from);
	branchPath(into);
	const open = await openRepository(http, repository, "push");
	const known = await findMarked(http, open, {
		type: "pulls",
		key
	});
	if (known !== null) return known;
	const answer = await open.ask("repository", {
		method: "POST",
		path: `${open.path}/pulls`,
		body: {
			title,
			head: from,
			base: into,
			body: withKeyMark(description, key)
		},
		accept: [
			404,
			409,
			422
		]
	});
	if (answer.status < 400) return linkOf(readAnswer(Numbered, answerJson(answer)));
	throw new ConnectorError("config", `Gitea opens no pull request from "${from}" into "${into}": ${refusalWords(answer)}`, { help: "Both branches must exist and differ, and no other pull request between them may be open." });
};
const openIssue = async ({ http }, issue) => {
	const { repository, title, description, labels = [], idempotencyKey: key } = issue;
	const open = await openRepository(http, repository, "read");
	if (open.facts.has_issues === false) throw new ConnectorError("config", `${open.facts.full_name} has its issues switched off.`, { help: "Switch them on under Settings, Advanced settings." });
	const known = await findMarked(http, open, {
		type: "issues",
		key
	});
	if (known !== null) return known;
	const ids = labels.length === 0 ? {} : { labels: await labelIds(http, open, labels) };
	const body = {
		title,
		body: withKeyMark(description, key),
		...ids
	};
	const request = {
		method: "POST",
		path: `${open.path}/issues`,
		body
	};
	return linkOf(readAnswer(Numbered, await open.json("issue", request)));
};
async function labelIds(http, open, names) {
	const path = `${open.path}/labels`;
	const known = new Map();
	for await (const { name, id } of rowsOf(http, { path }, (page) => readAnswer(Labels, page))) known.set(name, id);
	for (const name of names.filter((one) => !known.has(one))) {
		const request = {
			method: "POST",
			path,
			body: {
				name,
				color: LABEL_COLOUR
			}
		};
		known.set(name, readAnswer(Label, await open.json("issue", request)).id);
	}
	return names.flatMap((name) => known.get(name) ?? []);
}
const comment = async ({ http }, { repository, number, text, idempotencyKey: key }) => {
	const open = await openRepository(http, repository, "read");
	const path = `${open.path}/issues/${number}/comments`;
	const body = { body: withKeyMark(text, key) };
	const login = await ownLogin(http);
	const known = readAnswer(Comments, await open.json("issue", { path })).find((row) => row.user?.login === login && hasKeyMark(row.body, key));
	if (known === void 0) return { url: readAnswer(Comment, await open.json("issue", {
		method: "POST",
		path,
		body
	})).html_url };
	if (known.body !== body.body) {
		const request = {
			method: "PATCH",
			path: `${open.path}/issues/comments/${known.id}`,
			body
		};
		readAnswer(Comment, await open.json("issue", request));
	}
	return { url: known.html_url };
};
const setStatus = async ({ http }, { repository, commit, state, name, description, url }) => {
	if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) throw new ConnectorError("config", "A status belongs to the whole hash of a commit.");
	const open = await openRepository(http, repository, "push");
	const path = `${open.path}/statuses/${commit}`;
	const wanted = {
		state,
		context: name,
		description: cut(description ?? ""),
		target_url: url ?? ""
	};
	const list = await open.json("repository", {
		path,
		query: {
			sort: "highestindex",
			limit: 50
		}
	});
	const latest = readAnswer(Statuses, list).find(({ context }) => context === name);
	if (latest?.status === state && latest.description === wanted.description && latest.target_url === wanted.target_url) return;
	readAnswer(Status, await open.json("repository", {
		method: "POST",
		path,
		body: wanted
	}));
};
function cut(text) {
	const letters = [...text.replaceAll(/\s+/g, " ").trim()];
	return letters.length <= DESCRIPTION ? letters.join("") : `${letters.slice(0, 254).join("")}…`;
}
// src/server/posture.ts
async function ask({ http }, path, query = {}) {
	try {
		return await http.json({
			path,
			query
		});
	} catch (error) {
		if (isConnectorError(error) && [
			"scope",
			"config",
			"unsupported"
		].includes(error.code)) return null;
		throw error;
	}
}
const posture = async ({ http }, repository) => {
	const subject = {
		http,
		...await nameRepository(http, repository)
	};
	const branch = subject.facts.default_branch ?? "";
	if (branch === "") return [];
	return [
		...await branchAnswers(subject, branch),
		{
			check: "unpinned-actions",
			...await pinning(subject, branch)
		},
		{
			check: "stale-deploy-keys",
			...await deployKeys(subject)
		}
	];
};
async function branchAnswers(subject, branch) {
	const { path, facts } = subject;
	const url = `${facts.html_url}/settings/branches`;
	const seen = await ask(subject, `${path}/branches/${branch.split("/").map(encodeURIComponent).join("/")}`);
	const rules = seen === null ? null : readAnswer(BranchRules, seen);
	const name = rules?.effective_branch_protection_name || branch;
	const list = rules?.protected ? await ask(subject, `${path}/branch_protections/${encodeURIComponent(name)}`) : null;
	const own = list === null ? null : readAnswer(Protection, list);
	const isProtected = rules?.protected === true;
	const approvals = rules?.required_approvals ?? own?.required_approvals ?? 0;
	const of = (check, isOk, [good, bad]) => {
		return {
			check,
			branch,
			state: isOk === null ? "unknown" : isOk ? "ok" : "at-risk",
			detail: isOk === null ? "The connection may not see the protection of the branch." : isOk ? good : bad,
			url
		};
	};
	const known = (isOk) => rules === null ? null : isOk;
	const set = (isOk) => isProtected && own === null ? null : known(isOk === true);
	return [
		of("branch-protection", known(isProtected), [`"${branch}" is protected.`, `Nothing protects "${branch}".`]),
		of("required-reviews", known(isProtected && approvals > 0), [`A change of "${branch}" needs approvals: ${approvals}.`, `"${branch}" takes changes that nobody has reviewed.`]),
		of("signed-commits", set(own?.require_signed_commits), [`"${branch}" takes signed commits only.`, `"${branch}" takes commits without a signature.`]),
		of("force-pushes", set(isProtected && own?.enable_force_push !== true), [`The history of "${branch}" cannot be rewritten.`, `The history of "${branch}" can be rewritten by a force push.`])
	];
}
const MOST_WORKFLOWS = 100;
async function pinning(subject, branch) {
	const { http, path } = subject;
	const query = { ref: branch };
	const found = new Set();
	for (const folder of [".gitea/workflows", ".github/workflows"]) {
		const answer = await http.request({
			path: `${path}/contents/${folder}`,
			query,
			accept: [404]
		});
		const rows = answer.status === 404 ? [] : readAnswer(Content, answerJson(answer));
		const files = (Array.isArray(rows) ? rows : []).filter(({ type, name }) => type === "file" && /\.ya?ml$/i.test(name));
		for (const { name } of files.slice(0, MOST_WORKFLOWS)) {
			const { body } = await http.request({
				path: `${path}/raw/${folder}/${encodeURIComponent(name)}`,
				query
			});
			for (const action of unpinnedActions(new TextDecoder().decode(body))) found.add(action);
		}
	}
	if (found.size === 0) return {
		state: "ok",
		detail: "No workflow uses an action that is not pinned to a commit."
	};
	const named = [...found].sort();
	const more = named.length > 5 ? ` and ${named.length - 5} more` : "";
	return {
		state: "at-risk",
		detail: `Workflows use actions that may change under their name: ${named.slice(0, 5).join(", ")}${more}.`
	};
}
async function deployKeys(subject) {
	const url = `${subject.facts.html_url}/settings/keys`;
	const list = await ask(subject, `${subject.path}/keys`, { limit: 50 });
	if (list === null) return {
		state: "unknown",
		detail: "The connection may not see deploy keys.",
		url
	};
	const { length } = readAnswer(DeployKeys, list);
	return length === 0 ? {
		state: "ok",
		detail: "There are no deploy keys.",
		url
	} : {
		state: "unknown",
		detail: `There are deploy keys (${length}); Gitea does not tell when they were used.`,
		url
	};
}
// src/server/settings.ts
const WANTED = {
	"branch-protection": {
		fields: null,
		has: () => true,
		mayPush: false,
		change: {
			setting: (branch) => `Protection of "${branch}"`,
			from: "none",
			to: "a rule of its own"
		}
	},
	"required-reviews": {
		fields: { required_approvals: 1 },
		has: ({ required_approvals: count = 0 }) => count > 0,
		mayPush: false,
		change: {
			setting: (branch) => `Approvals that a change of "${branch}" needs`,
			from: "0",
			to: "1"
		}
	},
	"signed-commits": {
		fields: { require_signed_commits: true },
		has: ({ require_signed_commits: isAsked = false }) => isAsked,
		mayPush: true,
		change: {
			setting: (branch) => `Commits of "${branch}" without a signature`,
			from: "accepted",
			to: "refused"
		}
	},
	"force-pushes": {
		fields: { enable_force_push: false },
		has: ({ enable_force_push: isAllowed = false }) => !isAllowed,
		mayPush: true,
		change: {
			setting: (branch) => `Force pushes to "${branch}"`,
			from: "accepted",
			to: "refused"
		}
	}
};
const settings = settingsBy([
	"branch-protection",
	"required-reviews",
	"signed-commits",
	"force-pushes"
], async ({ http }, { repository, check }) => {
	const open = await openRepository(http, repository, "admin");
	const wanted = WANTED[check];
	const branch = open.facts.default_branch ?? "";
	if (wanted === void 0) throw new ConnectorError("unsupported", `Gitea has no setting for "${check}".`);
	if (branch === "") throw new ConnectorError("config", `${open.facts.full_name} is empty: it has no branch yet.`);
	const at = `${open.path}/branches/${branch.split("/").map(encodeURIComponent).join("/")}`;
	const seen = readAnswer(BranchRules, await open.json("repository", { path: at }));
	const rules = `${open.path}/branch_protections`;
	const { setting, from, to } = wanted.change;
	if (seen.protected) {
		const name = seen.effective_branch_protection_name || branch;
		const path = `${rules}/${encodeURIComponent(name)}`;
		const rule = readAnswer(Protection, await open.json("repository", { path }));
		if (wanted.fields === null || wanted.has(rule)) return NOTHING_TO_SET;
		const { fields } = wanted;
		const of = name === branch ? "" : `, by the rule "${name}" for all branches of that name`;
		return {
			changes: [{
				setting: `${setting(branch)}${of}`,
				from,
				to
			}],
			write: async () => {
				await open.ask("repository", {
					method: "PATCH",
					path,
					body: fields
				});
			}
		};
	}
	const body = {
		rule_name: branch,
		enable_push: wanted.mayPush,
		...wanted.fields
	};
	const rule = {
		setting: WANTED["branch-protection"]?.change.setting(branch) ?? "",
		from: "none",
		to: "a rule of its own"
	};
	const push = {
		setting: `Direct pushes to "${branch}"`,
		from: "by all who may write",
		to: "by nobody: by pull request"
	};
	const own = check === "branch-protection" ? [] : [{
		setting: setting(branch),
		from,
		to
	}];
	return {
		changes: [
			rule,
			...wanted.mayPush ? [] : [push],
			...own
		],
		write: async () => {
			await open.ask("repository", {
				method: "POST",
				path: rules,
				body
			});
		}
	};
});
// src/server/states.ts
const pullRequest = async ({ http }, { repository, number }) => {
	const { path } = await nameRepository(http, repository);
	const answer = await http.request({
		path: `${path}/pulls/${number}`,
		accept: [404]
	});
	if (answer.status === 404) return null;
	const { state, merged } = readAnswer(PullRequestState, answerJson(answer));
	return { state: merged === true ? "merged" : state === "closed" ? "closed" : "open" };
};
const issue = async ({ http }, { repository, number }) => {
	const { path } = await nameRepository(http, repository);
	const answer = await http.request({
		path: `${path}/issues/${number}`,
		accept: [404]
	});
	if (answer.status === 404) return null;
	return { state: readAnswer(IssueState, answerJson(answer)).state === "closed" ? "closed" : "open" };
};
const resolveRef = async ({ http }, { name, ref }) => {
	const path = `/repos/${name.split("/").map(encodeURIComponent).join("/")}`;
	const tag = await http.request({
		path: `${path}/tags/${branchPath(ref)}`,
		accept: [404]
	});
	if (tag.status !== 404) return readAnswer(Tag, answerJson(tag)).commit.sha;
	const branch = await http.request({
		path: `${path}/branches/${branchPath(ref)}`,
		accept: [404]
	});
	return branch.status === 404 ? null : readAnswer(Branch, answerJson(branch)).commit.id;
};
// src/server/webhooks.ts
const EVENTS = {
	push: "push",
	"pull-request": "pull_request",
	issue: "issues"
};
const createWebhook = async ({ http }, { repository, url, secret, events }) => {
	const open = await openRepository(http, repository, "admin");
	const path = `${open.path}/hooks`;
	const body = {
		active: true,
		events: events.map((event) => EVENTS[event]),
		config: {
			url,
			secret,
			content_type: "json"
		}
	};
	const known = await open.granted("repository", () => findHook(http, path, url));
	const request = known === null ? {
		method: "POST",
		path,
		body: {
			type: "gitea",
			...body
		}
	} : {
		method: "PATCH",
		path: `${path}/${known.id}`,
		body
	};
	return { id: String(readAnswer(Hook, await open.json("repository", request)).id) };
};
async function findHook(http, path, url) {
	for await (const hook of rowsOf(http, { path }, (page) => readAnswer(Hooks, page))) if (hook.config["url"] === url) return hook;
	return null;
}
const deleteWebhook = async ({ http }, { repository, id }) => {
	if (!/^[0-9]{1,20}$/.test(id)) throw new ConnectorError("config", "Gitea knows webhooks by a number.");
	const open = await openRepository(http, repository, "admin");
	const request = {
		method: "DELETE",
		path: `${open.path}/hooks/${id}`,
		accept: [404]
	};
	const { status } = await open.ask("repository", request);
	if (status === 204 || status === 404) return;
	throw new ConnectorError("upstream", `Gitea did not say that the webhook is gone (status ${status}).`);
};
const webhook = {
	proof: {
		type: "hmac-sha256",
		header: "X-Gitea-Signature",
		secret: "webhook_secret"
	},
	on: async (_, delivery) => eventsIn(delivery)
};
function eventsIn({ event, body }) {
	if (event === "push") return pushIn(body);
	if (event === "pull_request") return pullRequestIn(body);
	return event === "issues" ? issueIn(body) : [];
}
function issueIn(body) {
	const { action, number, repository } = readAnswer(IssueDelivery, body);
	return action === "closed" ? [{
		kind: "issue",
		repository: String(repository.id),
		number,
		action
	}] : [];
}
function pushIn(body) {
	const { ref, after, repository } = readAnswer(PushDelivery, body);
	const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
	if (branch === void 0 || /^0+$/.test(after)) return [];
	return [{
		kind: "push",
		repository: String(repository.id),
		branch,
		commit: after
	}];
}
const ACTIONS = {
	opened: "opened",
	reopened: "updated",
	synchronized: "updated"
};
function pullRequestIn(body) {
	const { action, number, pull_request: pullRequest, repository } = readAnswer(PullRequestDelivery, body);
	const { head, base, merged } = pullRequest;
	const means = action === "closed" ? merged === true ? "merged" : "closed" : ACTIONS[action];
	if (means === void 0) return [];
	return [{
		kind: "pull-request",
		repository: String(repository.id),
		number,
		branch: head.ref,
		commit: head.sha,
		into: base.ref,
		isFromFork: head.repo_id !== repository.id,
		action: means
	}];
}
// src/server/scm.ts
const Branches = Type.Array(Branch);
// src/server/index.ts
const server = defineServer(plugin, { gitea: {
	check: checkGitea,
	scm: {
		cloneUser: "oauth2",
		async user({ http }) {
			const { login, email } = readAnswer(User, await http.json({ path: "/user" }));
			return {
				name: login,
				...email ? { email } : {}
			};
		},
		async *listRepositories({ http }) {
			const { id } = readAnswer(User, await http.json({ path: "/user" }));
			const rows = rowsOf(http, {
				path: "/repos/search",
				query: {
					uid: id,
					sort: "id",
					order: "asc"
				}
			}, (page) => readAnswer(SearchResults, page).data);
			for await (const repository of rows) yield {
				id: String(repository.id),
				name: repository.full_name,
				url: repository.html_url,
				...repository.clone_url === void 0 ? {} : { cloneUrl: repository.clone_url },
				...repository.default_branch ? { defaultBranch: repository.default_branch } : {},
				...repository.private === void 0 ? {} : { isPrivate: repository.private },
				...repository.archived === void 0 ? {} : { isArchived: repository.archived }
			};
		},
		async *listBranches({ http }, repository) {
			const { path } = await nameRepository(http, repository);
			for await (const branch of rowsOf(http, { path: `${path}/branches` }, (page) => readAnswer(Branches, page))) yield {
				name: branch.name,
				commit: branch.commit.id,
				...branch.protected === void 0 ? {} : { isProtected: branch.protected }
			};
		},
		async readFile({ http }, { repository, path, at }) {
			if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(at)) branchPath(at);
			const file = filePath(path);
			const named = await nameOnce(http, repository);
			const answer = await http.request({
				path: `${named.path}/raw/${file}`,
				query: { ref: at },
				accept: [404]
			});
			if (answer.status === 404) return null;
			if (!/^text\/html/i.test(answer.headers["content-type"] ?? "")) return answer.body;
			throw new ConnectorError("upstream", "A web page came instead of the file.", { help: "Is there a proxy in front of Gitea that asks to sign in?" });
		},
		posture,
		pullRequest,
		issue,
		resolveRef,
		write: {
			createBranch,
			commitFiles,
			openPullRequest,
			openIssue,
			comment,
			setStatus,
			createWebhook,
			deleteWebhook,
			settings
		}
	},
	webhook
} });
export { plugin, server };
