// Enhances pages; every page is whole without it.
// Adds: charts that can be explored, buttons that copy commands, tables that sort.
"use strict";
(function () {
  var root = document.currentScript.src.replace(/[^/]*$/, "");

  function button(text, label) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    if (label) b.setAttribute("aria-label", label);
    return b;
  }

  // Charts: the drawing stays until the reader asks for one that can be explored.
  var library = null;
  function load() {
    if (!library) {
      library = new Promise(function (done, failed) {
        var s = document.createElement("script");
        s.src = root + "echarts.min.js";
        s.onload = function () { done(window.echarts); };
        s.onerror = failed;
        document.head.appendChild(s);
      });
    }
    return library;
  }

  function theme() {
    var css = getComputedStyle(document.documentElement);
    function v(name) { return css.getPropertyValue(name).trim(); }
    var ink = v("--ink"), soft = v("--soft"), line = v("--line"), ui = v("--ui"), colours = [];
    for (var i = 0; i < 8; i++) if (v("--s" + i)) colours.push(v("--s" + i));
    var axis = {
      axisLine: { lineStyle: { color: soft } }, axisTick: { lineStyle: { color: soft } },
      axisLabel: { color: soft }, nameTextStyle: { color: soft }, splitLine: { lineStyle: { color: line } }
    };
    return {
      color: colours, backgroundColor: "transparent", textStyle: { color: ink, fontFamily: ui },
      title: { textStyle: { color: ink } }, legend: { textStyle: { color: ink } },
      valueAxis: axis, logAxis: axis, categoryAxis: axis, timeAxis: axis,
      tooltip: { backgroundColor: v("--paper"), borderColor: line, textStyle: { color: ink } }
    };
  }

  // The option comes with the colours of light paper; the page may be dark.
  function dress(option) {
    var css = getComputedStyle(document.documentElement), ink = css.getPropertyValue("--ink").trim();
    if (option.styles) option.color = option.styles.map(function (i) { return css.getPropertyValue("--s" + i % 6).trim(); });
    [].concat(option.xAxis || [], option.yAxis || []).forEach(function (a) {
      a.axisLabel = a.axisLabel || {};
      a.axisLabel.formatter = function (v) { return Number(v.toPrecision(4)).toLocaleString("en"); };
      // The ends of an axis leave room for marks; they are no round numbers.
      a.axisLabel.showMinLabel = a.type !== "log" && a.min === 0;
      a.axisLabel.showMaxLabel = false;
    });
    option.series.forEach(function (x) {
      if (x.markLine) x.markLine.label = Object.assign({}, x.markLine.label, { color: ink, textBorderWidth: 0 });
    });
  }

  function explore(figure, option) {
    var still = figure.querySelector(".still");
    var live = null, chart = null;
    var b = button("Explore this chart", "Explore this chart: read single values with the pointer");
    function close() {
      if (!live) return;
      chart.dispose();
      live.remove();
      live = null;
      still.hidden = false;
      b.textContent = "Explore this chart";
    }
    function open(echarts) {
      live = document.createElement("div");
      live.className = "live";
      still.after(live);
      still.hidden = true;
      option.tooltip = option.tooltip || {};
      option.tooltip.renderMode = "richText";
      option.animation = false;
      if (option.series.every(function (x) { return !x.showSymbol; })) {
        // Staircases have no marks to point at: read all of them at the pointer's x.
        option.tooltip.trigger = "axis";
        option.tooltip.formatter = function (at) { return at.map(function (p) { return p.name || p.seriesName; }).join("\n"); };
      }
      dress(option);
      chart = echarts.init(live, theme(), { renderer: "canvas" });
      chart.setOption(option);
      b.textContent = "Back to the drawing";
    }
    b.addEventListener("click", function () {
      if (live) close(); else load().then(open, function () { b.remove(); });
    });
    window.addEventListener("resize", function () { if (chart && live) chart.resize(); });
    window.addEventListener("beforeprint", close);
    var p = document.createElement("p");
    p.className = "noprint tools";
    p.appendChild(b);
    still.after(p);
  }

  document.querySelectorAll("script[type='application/json'][data-chart]").forEach(function (s) {
    var figure = document.getElementById(s.dataset.chart);
    if (!figure) return;
    try { explore(figure, JSON.parse(s.textContent)); } catch (e) { /* the drawing stands */ }
  });

  // Commands: copy.
  if (navigator.clipboard) {
    document.querySelectorAll("pre.copy").forEach(function (pre) {
      var b = button("Copy", "Copy to the clipboard");
      b.addEventListener("click", function () {
        navigator.clipboard.writeText(pre.textContent).then(function () { b.textContent = "Copied"; }, function () { b.remove(); });
      });
      var p = document.createElement("p");
      p.className = "noprint tools";
      p.appendChild(b);
      pre.after(p);
    });
  }

  // Tables: sort the rows of each group by a column of figures. A cell without
  // a number goes last, in both directions.
  function key(row, i) {
    var cell = row.cells[i], d = cell && cell.querySelector("data[value]");
    if (d) return parseFloat(d.getAttribute("value"));
    return cell && cell.dataset.sort ? parseFloat(cell.dataset.sort) : NaN;
  }
  function sort(table, i, down) {
    Array.prototype.forEach.call(table.tBodies, function (body) {
      var rows = Array.prototype.filter.call(body.rows, function (r) { return !r.classList.contains("group"); });
      rows.sort(function (a, b) {
        var x = key(a, i), y = key(b, i);
        if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
        return down ? y - x : x - y;
      });
      rows.forEach(function (r) { body.appendChild(r); });
    });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th, i) {
      if (!th.classList.contains("n")) return;
      var b = button("\u2195", "Sort by " + th.textContent.trim().replace(/\s+/g, " "));
      b.className = "sort noprint";
      th.insertBefore(b, th.firstChild);
      b.addEventListener("click", function () {
        var down = th.getAttribute("aria-sort") !== "descending";
        Array.prototype.forEach.call(table.tHead.rows[0].cells, function (x) { x.removeAttribute("aria-sort"); });
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, i, down);
      });
    });
  });
})();
