import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { growModelFly, saveConnectome } from "../../lib/connectome/mod.ts";
import { card } from "../../lib/figures/mod.ts";
import { brainLabel } from "../../experiments/making/brains.ts";
import { checkFigures, stateOf } from "../../experiments/making/check_figures.ts";
import type { Experiment, ExperimentOptions, Result } from "../../experiments/_experiment.ts";
import { type Asked, missingBrains } from "../../experiments/making/missing_inputs.ts";
import { planFigures, type PlanOptions } from "../../experiments/making/plan.ts";
import { drawingDifference } from "../../experiments/making/same_drawing.ts";
import { timeOfAll, Times } from "../../experiments/making/times.ts";
import { inFolder } from "../_temporary_folder.ts";

Deno.test("every figure that is kept is what its numbers draw, and its numbers are of the inputs that are here", async () => {
  const checked = await checkFigures({ figures: "figures", data: "data" });
  assert.ok(checked.length >= 5);
  assert.deepEqual(checked.filter(({ wrong }) => wrong.length > 0), []);
});

Deno.test("`brainLabel()` tells model flies of two sizes apart", () => {
  assert.equal(brainLabel(), "model_fly");
  assert.equal(brainLabel(undefined, 1 / 8), "model_fly_8");
  assert.equal(brainLabel(undefined, 0.4), "model_fly_2_5");
  assert.equal(brainLabel("data/My Fly.arrow"), "my_fly");
});

/** An experiment that counts how often it is run. */
function counting(): { experiments: NonNullable<PlanOptions["experiments"]>; runs: () => number } {
  let runs = 0;
  const experiment: Experiment<{ readonly inputs: number }> = {
    question: "How many neurons see?",
    run: ({ connectome, signal }: ExperimentOptions) => {
      signal?.throwIfAborted();
      runs++;
      return Promise.resolve({ inputs: connectome.input.length });
    },
    figure: ({ inputs }: Result<{ readonly inputs: number }>) =>
      card([], { title: `${inputs} see`, caption: [], alt: "", width: 300.5, height: 10 }),
    page: ({ inputs }) => Promise.resolve(`<!doctype html>${inputs} see`),
  };
  const blind: Experiment = { ...experiment as Experiment, refuses: () => "it has no eyes" };
  const long: Experiment = { ...experiment as Experiment, hours: () => 30 };
  return {
    experiments: {
      seeing: () => Promise.resolve(experiment as Experiment),
      blind: () => Promise.resolve(blind),
      long: () => Promise.resolve(long),
    },
    runs: () => runs,
  };
}

Deno.test("figures are made once, made again for another seed or brain, and only drawn again where the picture changed", () =>
  inFolder(async (folder) => {
    const file = join(folder, "small.arrow"), out = join(folder, "out");
    await saveConnectome(file, growModelFly({ scale: 1 / 64, seed: 1 }));
    const { experiments, runs } = counting();
    const plan = (options: Partial<PlanOptions> = {}) =>
      planFigures({
        quick: false,
        seed: 1,
        data: folder,
        out,
        connectome: file,
        brains: ["small"],
        experiments,
        ...options,
      });
    const todo = async (options: Partial<PlanOptions> = {}) => (await plan(options)).map(({ todo }) => todo);
    const act = async (options: Partial<PlanOptions> = {}) => {
      for (const figure of await plan(options)) if (figure.todo !== "none") await figure.make({});
    };

    const first = await plan();
    assert.deepEqual(first.map(({ name, todo }) => `${name} ${todo}`), [
      "seeing_small make",
      "blind_small none",
      "long_small none",
    ]);
    assert.match(first[1]!.why, /it has no eyes/);
    assert.match(first[2]!.why, /takes about 30 hours/);
    assert.deepEqual(await todo({ longest: 31 }), ["make", "none", "make"]);
    assert.deepEqual(await todo({ only: ["long_small"] }), ["make"]);
    await act();
    const numbers = JSON.parse(await Deno.readTextFile(join(out, "seeing_small.json")));
    assert.equal(
      numbers.command,
      `deno task experiment seeing --connectome ${file}`,
    );
    assert.deepEqual(await todo(), ["none", "none", "none"]);
    assert.equal(runs(), 1);
    assert.deepEqual(await todo({ seed: 2 }), ["make", "none", "none"]);
    assert.deepEqual(await todo({ again: true }), ["make", "none", "none"]);
    assert.deepEqual(await todo({ only: ["blind"] }), ["none"]);
    assert.deepEqual(await todo({ only: ["seeing_larva"] }), []);

    const picture = join(out, "seeing_small.svg"), kept = await Deno.readTextFile(picture);
    await Deno.writeTextFile(picture, kept.replace("see", "saw"));
    assert.deepEqual(await todo(), ["draw", "none", "none"]);
    await act();
    assert.equal(await Deno.readTextFile(picture), kept);
    const page = join(out, "seeing_small.html"), drawn = await Deno.readTextFile(page);
    await Deno.remove(page);
    assert.deepEqual(await todo(), ["draw", "none", "none"]);
    await act();
    assert.equal(await Deno.readTextFile(page), drawn);
    assert.equal(runs(), 1);

    await saveConnectome(file, growModelFly({ scale: 1 / 64, seed: 2 }));
    const [again] = await plan();
    assert.equal(again!.why, "they are of another brain");
    const stopped = AbortSignal.abort();
    await assert.rejects(async () => await again!.make({ signal: stopped }));
    await act();
    assert.equal(runs(), 2);
  }));

Deno.test("what pages cite is never replaced by numbers of other inputs, unless it is asked for", () =>
  inFolder(async (folder) => {
    const data = join(folder, "data"), out = join(folder, "out"), file = join(data, "larva.arrow");
    await Deno.mkdir(data);
    await saveConnectome(file, { ...growModelFly({ scale: 1 / 64, seed: 1 }), name: "larva" });
    const { experiments } = counting();
    const plan = async (options: Partial<PlanOptions> = {}, name = "seeing_larva") => {
      const figures = await planFigures({
        quick: false,
        seed: 1,
        data,
        out,
        cited: out,
        brains: ["larva"],
        only: ["seeing"],
        experiments,
        ...options,
      });
      const { todo, kept = false, why, make } = figures.find((figure) => figure.name === name)!;
      return { todo, kept, why, make };
    };
    assert.equal((await plan()).todo, "make");
    await (await plan()).make({});
    const path = join(out, "seeing_larva.json"), numbers = JSON.parse(await Deno.readTextFile(path));
    const { positions } = numbers;
    await Deno.writeTextFile(
      path,
      JSON.stringify({ ...numbers, positions: { ...positions, digest: "91af67ef12c9" } }),
    );
    const kept = await plan();
    assert.deepEqual([kept.todo, kept.kept], ["none", true]);
    assert.equal(kept.why, "is of other positions (91af67ef12c9) than those here");
    assert.equal((await plan({ again: true })).todo, "make");
    assert.equal((await plan({ out: join(folder, "elsewhere") })).todo, "make");
    // What nobody kept is not made beside figures of other positions, unless it is named.
    const missing = (options: Partial<PlanOptions>) => plan({ longest: 31, ...options }, "long_larva");
    assert.deepEqual([(await missing({ only: undefined })).todo, (await missing({ only: ["long"] })).todo], [
      "none",
      "make",
    ]);
    assert.match(
      (await missing({ only: undefined })).why,
      /^there is none, and the others of this brain are of other positions \(91af67ef12c9\)/,
    );
    await Deno.writeTextFile(path, JSON.stringify(numbers));
    assert.deepEqual([(await plan()).todo, (await plan()).kept], ["none", false]);
    assert.equal((await missing({ only: undefined })).todo, "make");
    assert.match((await plan({ seed: 2 })).why, /is of seed 1/);

    await saveConnectome(file, { ...growModelFly({ scale: 1 / 64, seed: 2 }), name: "larva" });
    assert.match((await plan()).why, /is of another brain \(larva, [0-9a-f]{12}\) than the one here/);
    await Deno.remove(file);
    const gone = await plan();
    assert.match(gone.why, /is of larva, which is not here: 'deno task reproduce larva' makes/);
    assert.deepEqual([gone.todo, gone.kept], ["none", true]);
    const picture = join(out, "seeing_larva.svg");
    await Deno.writeTextFile(picture, (await Deno.readTextFile(picture)).replace("see", "saw"));
    assert.equal((await plan()).todo, "draw");
  }));

Deno.test("`deno task experiment` does not write over what figures/ keeps of other inputs", () =>
  inFolder(async (folder) => {
    const kept = JSON.stringify({
      experiment: "eye",
      seed: 1,
      quick: false,
      connectome: { name: "larva", digest: "0123456789abcdef" },
      positions: { digest: "91af67ef12c9" },
    });
    const file = join(folder, "larva.arrow"), path = join(folder, "figures", "eye_larva.json");
    await saveConnectome(file, { ...growModelFly({ scale: 1 / 64, seed: 1 }), name: "larva" });
    await Deno.mkdir(join(folder, "figures"));
    await Deno.writeTextFile(path, kept);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", fileURLToPath(new URL("../../experiments/run.ts", import.meta.url)), "eye"]
        .concat("--connectome", file),
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(code, 1);
    assert.match(new TextDecoder().decode(stderr), /is of another brain .*: give --out FILE/);
    assert.equal(await Deno.readTextFile(path), kept);
  }));

Deno.test("`missingBrains()` says which brain a figure needs that is not here, and how to get it", () =>
  inFolder(async (folder) => {
    const ask = (options: Partial<Asked>) =>
      missingBrains({ quick: false, data: folder, experiments: ["blame", "dopamine_cut"], ...options });
    const file = join(folder, "larva.arrow");
    assert.deepEqual(await ask({ only: ["blame_larva"] }), [
      `blame_larva needs ${file}, which is not here: 'deno task reproduce larva' makes it.`,
    ]);
    assert.match((await ask({ brains: ["malecns"] }))[0]!, /--brain malecns needs .*reproduce malecns/);
    assert.match((await ask({ only: ["dopamine_cut_mine"] }))[0]!, /its file with --connectome/);
    assert.match((await ask({ only: ["blame_larva"], quick: true }))[0]!, /model fly of --quick/);
    assert.match((await ask({ only: ["blame_larva"], connectome: "mine.arrow" }))[0]!, /end in _mine/);
    assert.deepEqual(await ask({ only: ["blame", "blame_model_fly", "ladder_games_larva"] }), []);
    await saveConnectome(file, growModelFly({ scale: 1 / 64, seed: 1 }));
    assert.deepEqual(await ask({ only: ["blame_larva"] }), []);
  }));

Deno.test("times of quick figures are kept apart, and hours that experiments say are added up", () =>
  inFolder(async (folder) => {
    const quick = await Times.open({ quick: true, folder });
    await quick.keep("eye_model_fly", 2);
    const times = await Times.open({ folder });
    assert.equal(times.of("eye_model_fly"), undefined);
    assert.equal((await Times.open({ quick: true, folder })).of("eye_model_fly"), 2);
    await times.keep("steps_larva", 3600);
    const known = await Times.open({ folder });
    assert.equal(
      timeOfAll([
        { name: "steps_larva", todo: "make", hours: 9 },
        { name: "brain_learning_larva", todo: "make", hours: 18 },
        { name: "eye_model_fly", todo: "make" },
        { name: "blame_larva", todo: "draw", hours: 5 },
      ], known),
      "about 19.0 h and 1 whose time is not known yet",
    );
    assert.equal(timeOfAll([{ name: "steps_larva", todo: "draw" }], known), "");
  }));

Deno.test("a check finds a changed picture, changed numbers, other inputs and what belongs to nothing", () =>
  inFolder(async (folder) => {
    const data = join(folder, "data"), out = join(folder, "out"), file = join(data, "larva.arrow");
    await Deno.mkdir(data);
    const grown = growModelFly({ scale: 1 / 64, seed: 1 });
    await saveConnectome(file, { ...grown, name: "larva" });
    const { experiments } = counting();
    const [figure] = await planFigures({
      quick: false,
      seed: 1,
      data,
      out,
      brains: ["larva"],
      only: ["seeing"],
      experiments,
    });
    await figure!.make({});
    const check = async () => {
      const checked = await checkFigures({ figures: out, data, experiments });
      return checked.map(({ name, wrong, unchecked }) => [name, wrong.join(), unchecked.join()] as const);
    };
    assert.deepEqual(await check(), [["seeing_larva", "", ""]]);

    const picture = join(out, "seeing_larva.svg"), numbers = join(out, "seeing_larva.json");
    const [svg, json] = [await Deno.readTextFile(picture), await Deno.readTextFile(numbers)];
    const change = async (path: string, from: RegExp | string, to: string) => {
      const [text, kept] = path === picture ? [svg, picture] : [json, numbers];
      assert.ok(text.search(from) >= 0);
      await Deno.writeTextFile(kept, text.replace(from, to));
      const found = await check();
      await Deno.writeTextFile(kept, text);
      return found[0]![1];
    };
    assert.match(await change(picture, /\d+ see/, "0 see"), /not what its numbers draw/);
    assert.equal(await change(picture, 'width="300.5"', 'width="300.504"'), "");
    assert.match(await change(picture, 'width="300.5"', 'width="300.6"'), /not what its numbers draw/);
    assert.match(await change(numbers, /"inputs": \d+/, '"inputs": 5'), /not what its numbers draw/);
    assert.match(await change(numbers, '"quick": false', '"quick": true'), /quick run/);
    assert.match(
      await change(numbers, /"digest": "......../, '"digest": "00000000'),
      /its brain, larva, has/,
    );

    await saveConnectome(file, { ...growModelFly({ scale: 1 / 64, seed: 2 }), name: "larva" });
    assert.match((await check())[0]![1], /its brain, larva, has the digest/);
    await Deno.remove(file);
    assert.deepEqual(await check(), [["seeing_larva", "", "its brain, larva, is not here"]]);
    const states = async () => (await checkFigures({ figures: out, data, experiments })).map(stateOf);
    assert.deepEqual(await states(), ["unchecked"]);

    await Deno.writeTextFile(join(out, "orphan.svg"), svg);
    await Deno.writeTextFile(join(out, "unknown.json"), "{}");
    const [, unknown, orphan] = await check();
    assert.match(unknown![1], /no experiment is called 'unknown'/);
    assert.match(orphan![1], /a picture without numbers/);
    assert.deepEqual(await states(), ["unchecked", "wrong", "wrong"]);
  }));

Deno.test("`drawingDifference()` lets places be a little off, but no word and no whole number", () => {
  assert.equal(drawingDifference('<a x="1.001">', '<a x="1.002">'), undefined);
  assert.equal(drawingDifference('<a x="1">', '<a x="1.002">'), undefined);
  assert.match(drawingDifference('<a x="1.001">', '<a x="1.102">')!, /1\.001 is drawn where 1\.102 was/);
  assert.match(drawingDifference("<a>5</a>", "<a>6</a>")!, /5 is drawn where 6 was/);
  assert.match(drawingDifference("<a>see</a>", "<a>saw</a>")!, /see.* is drawn where .*saw/);
  assert.match(drawingDifference("<a>see</a>", "<a>see</a><b/>")!, /is drawn where/);
});

Deno.test("`deno task experiment` with a misspelt name says first what is wrong, and what was meant", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "--no-check", "experiments/run.ts", "awakenin"],
    cwd: new URL("../../", import.meta.url),
  }).output();
  assert.equal(code, 2);
  assert.equal(new TextDecoder().decode(stdout), "");
  assert.match(
    new TextDecoder().decode(stderr),
    /^There is no experiment 'awakenin'. Did you mean 'awakening'\?/,
  );
});
