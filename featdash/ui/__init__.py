"""Streamlit controls, live panels and lesson blocks.

What every page uses, then what belongs to one:

    visitor        who is looking, theme and presenter mode
    workshop       what all sessions share: run service, finished pictures, audience
    heartbeat      an open tab says that its visitor is there
    number_scale   steps, stops and lists of numbers
    form           a Spec as controls
    link           the address bar: settings and the run on show
    lesson         the blocks of a page in their fixed order
    chart          the live charts
    plotly_script, early_modules, whole_answer, kept_files, delivery   how scripts reach a browser soon
    closed_routes, message_rate, connections   what the server refuses, slows down and ends
    plain_text     a visitor's value as text
    playback       frames let out one by one
    run_panel      a run's buttons, status line and live part
    takeaway       data tables, descriptions, downloads
    toolbar        switches and sliders over the pictures
    board          a moment of a run, its panels, and the stage they stand on
    target_picker  choosing a target, and its card
    lesson_page    a whole page: texts + panels
    preset_picker  choosing a named recipe
    composite_numbers   what a composite has to show, from its cells so far
    race_toolbar, race_numbers, race_board
    emergence_board, recovery_board
    theorem_card   theorems with the visitor's numbers
    lemma_part, spectrum_part, ablation_part, degenerate_part
    sweep_part, phase_map_part, transfer_part, transfer_bench_part
"""
