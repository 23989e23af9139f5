import { ConnectorError, Type, answerJson, defineConnector, definePlugin, defineServer, monogram, readAnswer } from "@breakwater/sdk";
// src/connector.ts
const connector = defineConnector({
	id: "berth-scan",
	title: "Berth Scan",
	category: "sast",
	image: monogram("BS"),
	description: "Pulls open issues of every project of a workspace from Berth Scan.",
	documentation: "https://docs.berth.example/api",
	credentials: {
		type: "object",
		required: [
			"api_key",
			"region",
			"workspace"
		],
		properties: {
			api_key: {
				type: "string",
				title: "API key",
				description: "Settings, API keys.",
				writeOnly: true
			},
			region: {
				type: "string",
				title: "Region",
				enum: ["eu", "us"],
				default: "eu"
			},
			workspace: {
				type: "string",
				title: "Workspace",
				description: "The short name in its address."
			},
			label: {
				type: "string",
				title: "Label",
				description: "Only projects that carry it; empty for all."
			}
		}
	},
	auth: {
		type: "header",
		name: "x-api-key",
		value: "{{api_key}}"
	},
	baseUrl: "https://{{region}}.berth.example/v2",
	permissions: { egress: ["*.berth.example"] }
});
const plugin = definePlugin({
	id: "berth-scan",
	version: "0.1.0",
	publisher: "Berth Ltd",
	connectors: [connector]
});
const VERSION = { "x-berth-version": "2026-01" };
const PAGE = 2;
const Account = Type.Object({
	email: Type.String({ minLength: 1 }),
	plan: Type.String(),
	rights: Type.Array(Type.String())
});
const Projects = Type.Object({ items: Type.Array(Type.Object({
	uid: Type.Integer(),
	name: Type.String(),
	web_url: Type.String(),
	is_archived: Type.Boolean()
})) });
const Issue = Type.Object({
	rule: Type.String({ minLength: 1 }),
	message: Type.String(),
	level: Type.String(),
	file: Type.String(),
	row: Type.Integer({ minimum: 0 }),
	cwe: Type.Optional(Type.Integer()),
	hash: Type.String(),
	found_at: Type.Integer(),
	muted: Type.Boolean()
});
const Issues = Type.Object({ items: Type.Array(Issue) });
const check = async ({ http, config }) => {
	const path = `/workspaces/${encodeURIComponent(config.workspace)}`;
	const answer = await http.request({
		path,
		headers: VERSION,
		accept: [404]
	});
	if (answer.status === 404) throw new ConnectorError("config", "Berth Scan has no such workspace.", { help: "Copy it from the address." });
	const { email, plan, rights } = readAnswer(Account, answerJson(answer));
	if (plan === "free") throw new ConnectorError("unsupported", "The API needs the plan Team or higher.", { help: "Upgrade the plan." });
	if (!rights.includes("issues:read")) throw new ConnectorError("scope", "The API key may not read issues.", { help: "Give it the right \"issues:read\"." });
	return {
		identity: email,
		scopes: rights
	};
};
const SEVERITIES = {
	BLOCKER: "critical",
	MAJOR: "high",
	MINOR: "medium",
	HINT: "low"
};
function severityOf(level) {
	const severity = SEVERITIES[level];
	if (severity !== void 0) return severity;
	throw new ConnectorError("upstream", "Berth Scan answered with a level that is not known.");
}
async function projectsOf({ http, config }) {
	const path = `/workspaces/${encodeURIComponent(config.workspace)}/projects`;
	const query = {
		sort: "uid",
		...config.label ? { label: config.label } : {}
	};
	const paging = {
		type: "page",
		parameter: "page",
		sizeParameter: "per_page",
		size: PAGE,
		itemsAt: "items"
	};
	const found = [];
	for await (const page of http.pages({
		path,
		query,
		headers: VERSION
	}, paging)) found.push(...readAnswer(Projects, page).items);
	return found.filter(({ is_archived }) => !is_archived).toSorted((one, other) => one.uid - other.uid);
}
function findingOf({ rule, message, level, file, row, cwe, hash, found_at, muted }) {
	return {
		kind: "finding",
		type: "SAST",
		ruleId: rule,
		title: message,
		severity: severityOf(level),
		nativeSeverity: level,
		locations: [{
			path: file.replace(/^\/+/, ""),
			startLine: row + 1
		}],
		fingerprint: hash,
		date: new Date(found_at * 1e3).toISOString(),
		...cwe === void 0 ? {} : { cwe: [cwe] },
		...muted ? { suppressed: { verdict: "accepted_risk" } } : {}
	};
}
const server = defineServer(plugin, { "berth-scan": {
	check,
	findings: { async *sync(ctx, since) {
		const projects = await projectsOf(ctx);
		for (const { uid, name, web_url } of projects.filter((one) => since === void 0 || one.uid > Number(since))) {
			yield {
				kind: "target",
				id: String(uid),
				name,
				url: web_url
			};
			const request = {
				path: `/projects/${uid}/issues`,
				query: { state: "open" },
				headers: VERSION
			};
			for await (const page of ctx.http.pages(request, {
				type: "cursor",
				cursorAt: "meta.next",
				parameter: "after"
			})) for (const issue of readAnswer(Issues, page).items) yield findingOf(issue);
			yield {
				kind: "cursor",
				cursor: String(uid)
			};
		}
	} }
} });
export { plugin, server };
