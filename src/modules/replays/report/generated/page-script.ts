// Generated from src/modules/replays/report/page by "npm run generate".
/** The script of a report's page. */
export const pageScript = `(function() {
	// src/modules/replays/replay-words.ts
	function toDifferenceLine({ lanes: { candidate }, lanes }) {
		if (!candidate) return null;
		if (candidate.error) return \`could not be run: \${candidate.error.message}\`;
		const { firstDifference: first, brokenCalls } = candidate;
		if (!first) return null;
		const turn = (lanes.original?.repeats.runs ?? 0) > 0 && first.turn > 1 ? \`turn \${first.turn}, \` : "";
		return \`\${isBrokenKind(first.kind) ? "" : toBrokenText(brokenCalls)}\${turn}step \${first.iteration}, \${toKindText(first.kind)}: \${first.expected || "nothing"} → \${first.found || "nothing"}\`;
	}
	function isBrokenKind(kind) {
		return kind === "rule" || kind === "refused";
	}
	function toBrokenText(broken) {
		const names = broken.map(({ name, answeredBy }) => \`\${name} (\${answeredBy})\`);
		return names.length === 0 ? "" : \`not answered any more: \${names.join(", ")}; \`;
	}
	function toKindText(kind) {
		return kind.replaceAll("_", " ");
	}
	// src/modules/replays/report/page/elements.ts
	function create(name, className, ...children) {
		const element = document.createElement(name);
		if (className !== "") element.className = className;
		element.append(...children);
		return element;
	}
	function find(id) {
		const element = document.getElementById(id);
		if (!element) throw new Error(\`The page has no element \${id}.\`);
		return element;
	}
	// src/modules/replays/report/page/case-details.ts
	function makeScrollable(details) {
		for (const element of details.querySelectorAll("pre, .scroll")) if (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) element.setAttribute("tabindex", "0");
	}
	function toDetails(one) {
		const { candidate } = one.lanes;
		const heading = (text) => create("h3", "", text);
		const parts = [heading(one.turn > 1 ? \`Message of turn \${one.turn}\` : "Message"), create("pre", "", one.message)];
		const difference = candidate?.firstDifference;
		if (candidate?.error) parts.push(heading("The candidate could not be run"), create("pre", "", candidate.error.message));
		if (difference) {
			const place = \`First difference: turn \${difference.turn}, step \${difference.iteration}, \${toKindText(difference.kind)}\`;
			parts.push(heading(place), toSides(create("pre", "", difference.expected), create("pre", "", difference.found)));
		}
		parts.push(...toBroken(one, heading), ...toAnswers(one, heading), ...toJudged(one, heading), heading("Numbers"), toNumbers(one));
		const ids = \`conversation \${one.conversationId}, \${one.turnIds.map((id) => \`turn \${id}\`).join(", ")}\`;
		parts.push(create("p", "quiet", ids));
		return create("div", "body", ...parts);
	}
	function toBroken({ lanes }, heading) {
		const broken = lanes.candidate?.brokenCalls ?? [];
		if (broken.length === 0) return [];
		const items = broken.map(({ turn, iteration, name, answeredBy, reason }) => create("li", "", \`turn \${turn}, step \${iteration}: \${name}, \${answeredBy}: \${reason}\`));
		return [heading("Tool calls that are not answered any more"), create("ul", "reasons", ...items)];
	}
	function toSides(left, right) {
		return create("div", "answers", left, right);
	}
	function toAnswers(one, heading) {
		const { original, baseline, candidate } = one.lanes;
		const recorded = original?.answer ?? "";
		const parts = one.answerDiff ? [toSides(create("div", "", heading("Recorded answer"), toSide(one, -1)), create("div", "", heading("Candidate's answer"), toSide(one, 1)))] : [heading(original && candidate && !candidate.error ? "Answer, the same in both" : "Recorded answer"), create("pre", "", recorded)];
		return baseline !== void 0 && baseline.answer !== null && !baseline.error ? [
			...parts,
			heading("Baseline's answer"),
			create("pre", "", baseline.answer ?? "")
		] : parts;
	}
	function toJudged({ lanes }, heading) {
		const judged = lanes.candidate?.judged;
		if (!judged) return [];
		const orders = ["the recorded answer first", "the recorded answer second"];
		const reasons = judged.reasons.map((reason, index) => create("li", "", \`\${orders[index] ?? ""}: \${reason}\`));
		return [heading(\`Judge: \${toVerdictText(judged)} (prompt \${judged.promptHash})\`), create("ul", "reasons", ...reasons)];
	}
	function toVerdictText({ verdict, flipped }) {
		return flipped ? \`\${verdict}, since it contradicted itself when the answers changed places\` : verdict;
	}
	function toSide({ answerDiff }, side) {
		const element = create("pre", "");
		for (const [kind, text] of answerDiff ?? []) if (kind === 0) element.append(text);
		else if (kind === side) element.append(create(side === 1 ? "ins" : "del", "", text));
		return element;
	}
	const rows = [
		["passed", (run) => run.repeats.runs > 1 ? \`\${run.repeats.passed} of \${run.repeats.runs}\` : run.passed ? "yes" : "no"],
		["outcome", (run) => toKindText(run.outcome ?? "not run")],
		["trajectory", (run) => toKindText(run.trajectory ?? "")],
		["scores", (run) => Object.entries(run.scores).map(([name, score]) => \`\${name} \${score}\`).join(", ")],
		["judge", ({ judged }) => judged ? \`\${judged.verdict}\${judged.flipped ? ", contradicted itself" : ""}\` : ""],
		["tool calls", (run) => String(run.calls)],
		["blocked by rules", (run) => run.ruleBlocks.map(({ tool, rule }) => \`\${tool} (\${rule})\`).join(", ")],
		["tokens: input / from cache / to cache / output", (run) => toTokens(run)],
		["cost", (run) => run.costUsd === null ? "unknown" : \`$\${Number(run.costUsd.toPrecision(3))}\`],
		["time", (run) => \`\${run.durationMs} ms\`]
	];
	function toTokens({ usage }) {
		return [
			usage.inputTokens,
			usage.cacheReadTokens,
			usage.cacheWriteTokens,
			usage.outputTokens
		].join(" / ");
	}
	function toNumbers({ lanes }) {
		const entries = Object.entries(lanes);
		const names = entries.map(([name]) => toHeader("col", name === "original" ? "recorded" : name));
		const body = rows.map(([label, read]) => create("tr", "", toHeader("row", label), ...entries.map(([, run]) => create("td", "", read(run)))));
		const scroll = create("div", "scroll", create("table", "", create("thead", "", create("tr", "", create("td", ""), ...names)), create("tbody", "", ...body)));
		scroll.setAttribute("role", "group");
		scroll.setAttribute("aria-label", "Numbers");
		return scroll;
	}
	function toHeader(scope, text) {
		const element = create("th", "", text);
		element.setAttribute("scope", scope);
		return element;
	}
	// src/modules/replays/report/page/search-cases.ts
	function toResult({ lanes: { candidate } }) {
		if (!candidate || candidate.error) return "not run";
		return candidate.repeats.passed === candidate.repeats.runs ? "passed" : "failed";
	}
	function toKind({ lanes: { candidate } }) {
		if (!candidate || candidate.error) return "not_run";
		return candidate.firstDifference?.kind ?? "none";
	}
	function toJudgeVerdict({ lanes: { candidate } }) {
		const judged = candidate?.judged;
		if (!judged) return "none";
		return judged.flipped ? "contradicted itself" : judged.verdict;
	}
	function toSearchText({ message, tools, lanes, conversationId, turnIds }) {
		const runs = Object.values(lanes);
		const differences = runs.flatMap(({ firstDifference: one }) => one ? [one.expected, one.found] : []);
		const answers = runs.map(({ answer, error }) => \`\${answer ?? ""} \${error?.message ?? ""}\`);
		const reasons = runs.flatMap(({ judged }) => judged?.reasons ?? []);
		return [
			message,
			...tools,
			...answers,
			...differences,
			...reasons,
			conversationId,
			...turnIds
		].join("\\n").toLowerCase();
	}
	const searchTexts = new Map();
	function isFound(one, words) {
		if (words.length === 0) return true;
		const text = searchTexts.get(one) ?? toSearchText(one);
		searchTexts.set(one, text);
		return words.every((word) => text.includes(word));
	}
	function searchCases(cases, filter) {
		const words = filter.search.toLowerCase().split(/\\s+/).filter(Boolean);
		const accepts = (wanted, found) => wanted === "" || wanted === found;
		return cases.filter((one) => accepts(filter.verdict, toResult(one)) && accepts(filter.trajectory, one.lanes.candidate?.trajectory ?? "not_run") && accepts(filter.kind, toKind(one)) && accepts(filter.judge, toJudgeVerdict(one)) && (filter.tool === "" || one.tools.includes(filter.tool)) && isFound(one, words));
	}
	// src/modules/replays/report/page/case-list.ts
	const casesPerPage = 50;
	const { cases } = JSON.parse(find("report").textContent);
	const filters = [
		"verdict",
		"trajectory",
		"kind",
		"tool",
		"judge"
	];
	let page = 0;
	function fillFilter(id, read) {
		const counts = new Map();
		for (const one of cases) for (const value of read(one)) counts.set(value, (counts.get(value) ?? 0) + 1);
		const options = [...counts].toSorted(([, one], [, other]) => other - one);
		find(id).append(toOption("", "all"), ...options.map(([value, count]) => toOption(value, \`\${toKindText(value)} (\${count})\`)));
	}
	function toOption(value, text) {
		const option = create("option", "", text);
		option.value = value;
		return option;
	}
	function toRow(one) {
		const result = toResult(one);
		const summary = create("summary", "", create("span", "position", String(one.position)), create("span", \`badge \${result.replace(" ", "-")}\`, result), create("span", "message", one.message), create("span", "difference", toDifferenceLine(one) ?? ""));
		const row = create("details", "", summary);
		let isFilled = false;
		row.addEventListener("toggle", () => {
			if (!row.open || isFilled) return;
			isFilled = true;
			const details = toDetails(one);
			row.append(details);
			makeScrollable(details);
		});
		row.addEventListener("keydown", ({ key }) => {
			if (key !== "Escape" || !row.open) return;
			row.open = false;
			summary.focus();
		});
		return row;
	}
	function show() {
		const values = Object.fromEntries(["search", ...filters].map((id) => [id, find(id).value]));
		const found = searchCases(cases, values);
		const pages = Math.max(1, Math.ceil(found.length / casesPerPage));
		page = Math.min(page, pages - 1);
		const shown = found.slice(page * casesPerPage, (page + 1) * casesPerPage);
		find("cases").replaceChildren(...shown.map(toRow));
		find("count").textContent = \`\${found.length} of \${cases.length} cases, those that changed most first\`;
		find("page").textContent = \`page \${page + 1} of \${pages}\`;
		find("previous").disabled = page === 0;
		find("next").disabled = page === pages - 1;
	}
	function turn(by) {
		page += by;
		show();
		find("count").scrollIntoView({ block: "nearest" });
	}
	fillFilter("verdict", (one) => [toResult(one)]);
	fillFilter("trajectory", ({ lanes: { candidate } }) => [candidate?.trajectory ?? "not_run"]);
	fillFilter("kind", (one) => [toKind(one)]);
	fillFilter("tool", ({ tools }) => tools);
	fillFilter("judge", (one) => [toJudgeVerdict(one)]);
	for (const id of ["search", ...filters]) find(id).addEventListener("input", () => {
		page = 0;
		show();
	});
	find("previous").addEventListener("click", () => turn(-1));
	find("next").addEventListener("click", () => turn(1));
	show();
})();
`;
